/* SPDX-License-Identifier: MIT */
/*
 * What a fleet's programs are slow by: a library that they are started with. FLEET_CAUSE is the
 * number of a cause, and FLEET_MS how long it takes.
 */
#include <fcntl.h>
#include <pthread.h>
#include <semaphore.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#define CAUSES 10
#define FIRST_AT_END 7

static volatile unsigned long sink;
static pthread_mutex_t catalogue = PTHREAD_MUTEX_INITIALIZER;
static sem_t asked;
static sem_t answered;
static long amount_ms;

static long now_ms(clockid_t clock)
{
	struct timespec now;

	clock_gettime(clock, &now);
	return now.tv_sec * 1000 + now.tv_nsec / 1000000;
}

__attribute__((noinline)) static void burn(long ms)
{
	long until = now_ms(CLOCK_THREAD_CPUTIME_ID) + ms;

	do {
		for (unsigned long i = 0; i < 2000000; i++) {
			sink += i * i;
		}
	} while (now_ms(CLOCK_THREAD_CPUTIME_ID) < until);
}

static void pause_ms(long ms)
{
	nanosleep(&(struct timespec){ ms / 1000, ms % 1000 * 1000000 }, NULL);
}

static void wait_for(sem_t *sem)
{
	while (sem_wait(sem) != 0) {
	}
}

/* Computes. */
__attribute__((noinline)) static void verify_license(void)
{
	burn(amount_ms);
	sink++;
}

/* Sleeps between attempts. */
__attribute__((noinline)) static void connect_telemetry(void)
{
	for (int i = 0; i < 5; i++) {
		pause_ms(amount_ms / 5);
	}
	sink++;
}

/* Waits for a child. */
__attribute__((noinline)) static void probe_hardware(void)
{
	pid_t child = fork();

	if (child == 0) {
		burn(amount_ms);
		_exit(0);
	}
	waitpid(child, NULL, 0);
	sink++;
}

/* Touches memory that it gives back at once. */
__attribute__((noinline)) static void prefetch_content(void)
{
	long until = now_ms(CLOCK_MONOTONIC) + amount_ms;

	do {
		char *memory = mmap(NULL, 1 << 22, PROT_READ | PROT_WRITE,
				    MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

		memset(memory, 1, 1 << 22);
		munmap(memory, 1 << 22);
	} while (now_ms(CLOCK_MONOTONIC) < until);
}

/* Writes to a disk again and again. */
__attribute__((noinline)) static void journal_settings(void)
{
	long until = now_ms(CLOCK_MONOTONIC) + amount_ms;
	char name[] = "fleet-journal-XXXXXX";
	int file = mkstemp(name);

	unlink(name);
	do {
		if (write(file, name, sizeof(name)) < 0 || fsync(file) != 0) {
			break;
		}
	} while (now_ms(CLOCK_MONOTONIC) < until);
	close(file);
}

__attribute__((noinline)) static void rebuild_catalogue(void)
{
	pthread_mutex_lock(&catalogue);
	sem_post(&asked);
	burn(amount_ms);
	pthread_mutex_unlock(&catalogue);
	sink++;
}

static void *maintain(void *unused)
{
	rebuild_catalogue();
	return unused;
}

/* Waits for a lock, whose holder computes. */
__attribute__((noinline)) static void load_plugins(void)
{
	pthread_t thread;

	pthread_create(&thread, NULL, maintain, NULL);
	wait_for(&asked);
	pthread_mutex_lock(&catalogue);
	pthread_mutex_unlock(&catalogue);
	pthread_join(thread, NULL);
}

__attribute__((noinline)) static void decrypt_profile(void)
{
	burn(amount_ms);
	sink++;
}

static void *serve(void *unused)
{
	wait_for(&asked);
	decrypt_profile();
	sem_post(&answered);
	return unused;
}

/* Waits for a thread that answers. */
__attribute__((noinline)) static void read_profile(void)
{
	pthread_t thread;

	pthread_create(&thread, NULL, serve, NULL);
	sem_post(&asked);
	wait_for(&answered);
	pthread_join(thread, NULL);
}

/* Reads a file system's tables. */
__attribute__((noinline)) static void scan_cache(void)
{
	long until = now_ms(CLOCK_MONOTONIC) + amount_ms;

	do {
		for (int i = 0; i < 100; i++) {
			char name[64];

			snprintf(name, sizeof(name), "/usr/share/fleet-cache-%d", i);
			sink += (unsigned long)access(name, R_OK);
		}
	} while (now_ms(CLOCK_MONOTONIC) < until);
}

/* Sleeps once, long. */
__attribute__((noinline)) static void flush_statistics(void)
{
	pause_ms(amount_ms);
	sink++;
}

__attribute__((noinline)) static void compact_history(void)
{
	burn(amount_ms);
	sink++;
}

static void (*const causes[CAUSES])(void) = {
	verify_license, connect_telemetry, probe_hardware, prefetch_content, journal_settings,
	load_plugins,   read_profile,      scan_cache,     flush_statistics, compact_history,
};

static void run_cause(int first, int end)
{
	const char *cause = getenv("FLEET_CAUSE");
	const char *ms = getenv("FLEET_MS");
	int number = cause ? atoi(cause) : -1;

	amount_ms = ms ? atol(ms) : 0;
	if (number >= first && number < end) {
		/* Not in its children. */
		unsetenv("FLEET_CAUSE");
		causes[number]();
	}
}

__attribute__((constructor)) static void start_up(void)
{
	sem_init(&asked, 0, 0);
	sem_init(&answered, 0, 0);
	run_cause(0, FIRST_AT_END);
}

__attribute__((destructor)) static void shut_down(void)
{
	run_cause(FIRST_AT_END, CAUSES);
}
