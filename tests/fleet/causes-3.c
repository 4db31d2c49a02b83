/* SPDX-License-Identifier: MIT */
/*
 * What the programs of the fourth choosing fleet are slow by: other functions and other mechanisms
 * than those of causes.c and causes-2.c. It was the fresh one once, and has been looked at.
 */
#include "fleet.h"

#include <fcntl.h>
#include <pthread.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/random.h>
#include <sys/timerfd.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#define WORKERS 2
#define QUOTES 4
#define NUMBERS 300
#define LETTERS 20
#define ENTRIES 2000
#define ENTRY_BYTES 48
#define JOURNAL 8
#define BLOCK 65536
#define BLOCKS 6

/* ---- Waits at a barrier for workers of unequal parts ---- */

static pthread_barrier_t tiles_done;

static void encode_tile(long ms)
{
	burn(ms);
}

static void *encode_tiles(void *part)
{
	encode_tile(fleet_ms / (*(int *)part + 1));
	pthread_barrier_wait(&tiles_done);
	return NULL;
}

static void encode_thumbnails(void)
{
	pthread_t threads[WORKERS];
	int parts[WORKERS];

	pthread_barrier_init(&tiles_done, NULL, WORKERS + 1);
	for (int i = 0; i < WORKERS; i++) {
		parts[i] = i;
		pthread_create(&threads[i], NULL, encode_tiles, &parts[i]);
	}
	pthread_barrier_wait(&tiles_done);
	for (int i = 0; i < WORKERS; i++) {
		pthread_join(threads[i], NULL);
	}
}

CALLS(scroll_photos, encode_thumbnails)
CALLS(open_camera_roll, scroll_photos)
CALLS(attach_picture, encode_thumbnails)
CALLS(compose_post, attach_picture)
CALLS(share_story, compose_post)
CALLS(change_wallpaper, encode_thumbnails)

/* ---- Parses and prints numbers ---- */

static void parse_number(int i)
{
	char text[64];
	char *end;

	snprintf(text, sizeof(text), "%d.%06de-%d", i * 7919 % 1000, i * 104729 % 1000000, i % 30);
	fleet_sum += (unsigned long)(1000 * strtod(text, &end));
	snprintf(text, sizeof(text), "%.17g", (double)i / 3);
	fleet_sum += (unsigned char)text[5];
}

static void parse_feed(void)
{
	for (int i = 0; i < NUMBERS; i++) {
		parse_number(i);
	}
}

static void parse_feeds(void)
{
	repeat(parse_feed);
}

CALLS(update_chart, parse_feeds)
CALLS(open_watchlist, update_chart)
CALLS(convert_currency, parse_feeds)

/* ---- Waits for a lock of readers and writers, whose reader computes ---- */

static pthread_rwlock_t ledger = PTHREAD_RWLOCK_INITIALIZER;
static sem_t auditing;

static void audit_records(void)
{
	pthread_rwlock_rdlock(&ledger);
	sem_post(&auditing);
	burn(fleet_ms);
	pthread_rwlock_unlock(&ledger);
}

static void *audit(void *unused)
{
	audit_records();
	return unused;
}

static void import_ledger(void)
{
	pthread_t thread;

	sem_init(&auditing, 0, 0);
	pthread_create(&thread, NULL, audit, NULL);
	wait_for(&auditing);
	pthread_rwlock_wrlock(&ledger);
	pthread_rwlock_unlock(&ledger);
	pthread_join(thread, NULL);
}

CALLS(merge_books, import_ledger)
CALLS(close_quarter, merge_books)
CALLS(restore_backup, import_ledger)

/* ---- Waits for the ticks of a timer ---- */

static void refresh_quotes(void)
{
	long tick_ns = fleet_ms * 1000000 / QUOTES;
	const struct itimerspec every = { { 0, tick_ns }, { 0, tick_ns } };
	int timer = timerfd_create(CLOCK_MONOTONIC, 0);
	int queue = epoll_create1(0);
	struct epoll_event event = { .events = EPOLLIN };
	unsigned long ticks;

	timerfd_settime(timer, 0, &every, NULL);
	epoll_ctl(queue, EPOLL_CTL_ADD, timer, &event);
	for (int i = 0; i < QUOTES && epoll_wait(queue, &event, 1, -1) == 1; i++) {
		fleet_sum += (unsigned long)read(timer, &ticks, sizeof(ticks));
	}
	close(queue);
	close(timer);
}

CALLS(settle_orders, refresh_quotes)
CALLS(close_market, settle_orders)
CALLS(send_alerts, refresh_quotes)

/* ---- Creates, renames and deletes files ---- */

static void tidy_inbox(void)
{
	for (int i = 0; i < LETTERS; i++) {
		char name[64];
		char other[64];

		snprintf(name, sizeof(name), "fleet-inbox-%d-%d", getpid(), i);
		snprintf(other, sizeof(other), "fleet-read-%d-%d", getpid(), i);
		close(open(name, O_CREAT | O_WRONLY, 0600));
		rename(name, other);
		unlink(other);
	}
}

static void tidy_inboxes(void)
{
	repeat(tidy_inbox);
}

CALLS(archive_mail, tidy_inboxes)
CALLS(leave_mailbox, archive_mail)
CALLS(empty_trash, tidy_inboxes)

/* ---- Allocates and frees ---- */

static void build_outline(void)
{
	void *entries[ENTRIES];

	for (size_t i = 0; i < ENTRIES; i++) {
		entries[i] = malloc(ENTRY_BYTES + i % 7 * ENTRY_BYTES);
		memset(entries[i], 1, ENTRY_BYTES);
	}
	for (size_t i = 0; i < ENTRIES; i++) {
		free(entries[i * 7 % ENTRIES]);
		entries[i * 7 % ENTRIES] = NULL;
	}
	for (size_t i = 0; i < ENTRIES; i++) {
		free(entries[i]);
	}
}

static void build_outlines(void)
{
	repeat(build_outline);
}

CALLS(show_contents, build_outlines)
CALLS(open_manual, show_contents)
CALLS(fold_sections, build_outlines)

/* ---- Writes to a child that reads slowly ---- */

static void receive_backup(int input)
{
	static char block[BLOCK];
	size_t got = 0;
	ssize_t bytes;

	while ((bytes = read(input, block, sizeof(block))) > 0) {
		got += (size_t)bytes;
		if (got >= BLOCK) {
			got -= BLOCK;
			pause_ms(fleet_ms / BLOCKS);
		}
	}
}

static void upload_backup(void)
{
	static const char block[BLOCK];
	pid_t child;
	int ends[2];

	if (pipe(ends) != 0) {
		return;
	}
	child = fork();
	if (child == 0) {
		close(ends[1]);
		receive_backup(ends[0]);
		_exit(0);
	}
	close(ends[0]);
	for (int i = 0; i < BLOCKS; i++) {
		fleet_sum += (unsigned long)write(ends[1], block, sizeof(block));
	}
	close(ends[1]);
	waitpid(child, NULL, 0);
}

CALLS(sync_folder, upload_backup)

/* ---- Asks a thread again and again, through pipes ---- */

static int questions[2];
static int answers[2];

static void apply_entry(void)
{
	burn(fleet_ms / JOURNAL);
}

static void *apply_entries(void *unused)
{
	char letter;

	while (read(questions[0], &letter, 1) == 1) {
		apply_entry();
		fleet_sum += (unsigned long)write(answers[1], &letter, 1);
	}
	return unused;
}

static void replay_journal(void)
{
	pthread_t thread;
	char letter = 'j';

	if (pipe(questions) != 0 || pipe(answers) != 0) {
		return;
	}
	pthread_create(&thread, NULL, apply_entries, NULL);
	for (int i = 0; i < JOURNAL && write(questions[1], &letter, 1) == 1; i++) {
		fleet_sum += (unsigned long)read(answers[0], &letter, 1);
	}
	close(questions[1]);
	pthread_join(thread, NULL);
	close(questions[0]);
	close(answers[0]);
	close(answers[1]);
}

CALLS(recover_database, replay_journal)
CALLS(mount_store, recover_database)

/* ---- Starts programs, one after the other ---- */

static void run_hooks(void)
{
	char *const arguments[] = { "true", NULL };
	char *const environment[] = { NULL };
	long end_ms = due_ms();
	pid_t child;

	do {
		if (posix_spawn(&child, "/bin/true", NULL, NULL, arguments, environment) != 0) {
			break;
		}
		waitpid(child, NULL, 0);
	} while (fleet_clock_ms() < end_ms);
}

CALLS(finish_commit, run_hooks)

/* ---- Asks for random numbers ---- */

static void draw_lots(void)
{
	unsigned char lots[4096];

	fleet_sum += (unsigned long)getrandom(lots, sizeof(lots), 0) + lots[0];
}

static void draw_all_lots(void)
{
	repeat(draw_lots);
}

CALLS(assign_seats, draw_all_lots)

const struct fleet_cause fleet_causes[] = {
	{ "encode_thumbnails", { open_camera_roll, share_story, change_wallpaper }, false },
	{ "parse_feed", { open_watchlist, convert_currency }, false },
	{ "import_ledger", { close_quarter, restore_backup }, false },
	{ "refresh_quotes", { close_market, send_alerts }, true },
	{ "tidy_inbox", { leave_mailbox, empty_trash }, true },
	{ "build_outline", { open_manual, fold_sections }, false },
	{ "upload_backup", { sync_folder }, false },
	{ "replay_journal", { mount_store }, false },
	{ "run_hooks", { finish_commit }, true },
	{ "draw_lots", { assign_seats }, true },
	{ 0 },
};
