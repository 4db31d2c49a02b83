/* SPDX-License-Identifier: MIT */
/*
 * What the programs of the first two choosing fleets are slow by.
 */
#include "fleet.h"

#include <fcntl.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

static pthread_mutex_t catalogue = PTHREAD_MUTEX_INITIALIZER;
static sem_t asked;
static sem_t answered;

/* ---- Computes ---- */

static void verify_license(void)
{
	burn(fleet_ms);
}

CALLS(check_entitlements, verify_license)
CALLS(start_session, check_entitlements)
CALLS(open_project, verify_license)
CALLS(enable_feature, open_project)
CALLS(apply_settings, enable_feature)

/* ---- Sleeps between attempts ---- */

static void connect_telemetry(void)
{
	for (int i = 0; i < 5; i++) {
		pause_ms(fleet_ms / 5);
	}
}

CALLS(report_usage, connect_telemetry)
CALLS(greet_user, report_usage)
CALLS(send_crash_log, connect_telemetry)
CALLS(recover_last_run, send_crash_log)
CALLS(restore_windows, recover_last_run)

/* ---- Waits for a child ---- */

static void probe_hardware(void)
{
	pid_t child = fork();

	if (child == 0) {
		burn(fleet_ms);
		_exit(0);
	}
	waitpid(child, NULL, 0);
}

CALLS(choose_renderer, probe_hardware)

/* ---- Touches memory that it gives back at once ---- */

static void prefetch_content(void)
{
	long end_ms = due_ms();

	do {
		char *memory = mmap(NULL, 1 << 22, PROT_READ | PROT_WRITE,
				    MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

		memset(memory, 1, 1 << 22);
		munmap(memory, 1 << 22);
	} while (fleet_clock_ms() < end_ms);
}

CALLS(warm_up_pages, prefetch_content)
CALLS(show_start_page, warm_up_pages)
CALLS(preview_document, prefetch_content)

/* ---- Writes to a disk again and again ---- */

static void journal_settings(void)
{
	long end_ms = due_ms();
	char name[] = "fleet-journal-XXXXXX";
	int file = mkstemp(name);

	unlink(name);
	do {
		if (write(file, name, sizeof(name)) < 0 || fsync(file) != 0) {
			break;
		}
	} while (fleet_clock_ms() < end_ms);
	close(file);
}

CALLS(migrate_settings, journal_settings)

/* ---- Waits for a lock, whose holder computes ---- */

static void rebuild_catalogue(void)
{
	pthread_mutex_lock(&catalogue);
	sem_post(&asked);
	burn(fleet_ms);
	pthread_mutex_unlock(&catalogue);
}

static void *maintain(void *unused)
{
	rebuild_catalogue();
	return unused;
}

static void load_plugins(void)
{
	pthread_t thread;

	sem_init(&asked, 0, 0);
	pthread_create(&thread, NULL, maintain, NULL);
	wait_for(&asked);
	pthread_mutex_lock(&catalogue);
	pthread_mutex_unlock(&catalogue);
	pthread_join(thread, NULL);
}

CALLS(build_menu, load_plugins)
CALLS(create_window, build_menu)
CALLS(run_macro, load_plugins)
CALLS(import_document, load_plugins)
CALLS(replay_commands, import_document)
CALLS(open_workspace, replay_commands)

/* ---- Waits for a thread that answers ---- */

static void decrypt_profile(void)
{
	burn(fleet_ms);
}

static void *serve(void *unused)
{
	wait_for(&asked);
	decrypt_profile();
	sem_post(&answered);
	return unused;
}

static void read_profile(void)
{
	pthread_t thread;

	sem_init(&asked, 0, 0);
	sem_init(&answered, 0, 0);
	pthread_create(&thread, NULL, serve, NULL);
	sem_post(&asked);
	wait_for(&answered);
	pthread_join(thread, NULL);
}

CALLS(sign_in, read_profile)
CALLS(switch_account, read_profile)
CALLS(unlock_screen, switch_account)

/* ---- Reads a file system's tables ---- */

static void scan_cache(void)
{
	long end_ms = due_ms();

	do {
		for (int i = 0; i < 100; i++) {
			char name[64];

			snprintf(name, sizeof(name), "/usr/share/fleet-cache-%d", i);
			fleet_sum += (unsigned long)access(name, R_OK);
		}
	} while (fleet_clock_ms() < end_ms);
}

CALLS(expire_downloads, scan_cache)

/* ---- Sleeps once, long ---- */

static void flush_statistics(void)
{
	pause_ms(fleet_ms);
}

CALLS(leave_session, flush_statistics)

/* ---- Computes when all is done ---- */

static void compact_history(void)
{
	burn(fleet_ms);
}

CALLS(close_database, compact_history)

const struct fleet_cause fleet_causes[] = {
	{ "verify_license", { start_session, apply_settings }, false },
	{ "connect_telemetry", { greet_user, restore_windows }, false },
	{ "probe_hardware", { choose_renderer }, false },
	{ "prefetch_content", { show_start_page, preview_document }, false },
	{ "journal_settings", { migrate_settings }, false },
	{ "load_plugins", { create_window, run_macro, open_workspace }, false },
	{ "read_profile", { sign_in, unlock_screen }, false },
	{ "scan_cache", { expire_downloads }, true },
	{ "flush_statistics", { leave_session }, true },
	{ "compact_history", { close_database }, true },
	{ 0 },
};
