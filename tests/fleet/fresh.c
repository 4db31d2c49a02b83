/* SPDX-License-Identifier: MIT */
/*
 * What the programs of the fresh fleet are slow by: other functions and other mechanisms than those
 * of causes.c to causes-5.c.
 */
#include "fleet.h"

#include <arpa/inet.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/select.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

/* A power of two. */
#define FOOTPRINTS (1U << 22)
#define STEPS 100000
#define LINES 2000
#define CONCRETE 32768
#define RATIONS 20
#define BUTTERFLIES (1 << 22)

/* ---- Waits for a datagram of a thread that computes ---- */

static void simulate_weather(void)
{
	burn(fleet_ms);
}

static void *report_weather(void *station)
{
	struct sockaddr_in address = { 0 };
	socklen_t length = sizeof(address);
	int sender = socket(AF_INET, SOCK_DGRAM | SOCK_CLOEXEC, 0);

	simulate_weather();
	getsockname(*(int *)station, (struct sockaddr *)&address, &length);
	fleet_sum +=
		(unsigned long)sendto(sender, "rain", 4, 0, (struct sockaddr *)&address, length);
	close(sender);
	return NULL;
}

static void fetch_forecast(void)
{
	struct sockaddr_in address = { .sin_family = AF_INET };
	int station = socket(AF_INET, SOCK_DGRAM | SOCK_CLOEXEC, 0);
	pthread_t reporter;
	fd_set stations;

	address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
	bind(station, (struct sockaddr *)&address, sizeof(address));
	pthread_create(&reporter, NULL, report_weather, &station);
	FD_ZERO(&stations);
	FD_SET(station, &stations);
	select(station + 1, &stations, NULL, NULL, NULL);
	pthread_join(reporter, NULL);
	close(station);
}

CALLS(plan_harvest, fetch_forecast)
CALLS(hire_pickers, plan_harvest)
CALLS(cover_greenhouse, fetch_forecast)
CALLS(water_field, fetch_forecast)
CALLS(tend_farm, water_field)

/* ---- Follows a list that is all over memory ---- */

static unsigned int footprints[FOOTPRINTS];

/* From each to another one, until all have been visited. */
static void lay_footprints(void)
{
	for (unsigned int i = 0; i < FOOTPRINTS; i++) {
		footprints[i] = (1664525 * i + 1013904223) % FOOTPRINTS;
	}
}

static void follow_some(void)
{
	static unsigned int here;

	for (unsigned int i = 0; i < STEPS; i++) {
		here = footprints[here];
	}
	fleet_sum += here;
}

static void follow_footprints(void)
{
	lay_footprints();
	repeat(follow_some);
}

CALLS(chase_burglar, follow_footprints)
CALLS(answer_alarm, chase_burglar)
CALLS(walk_dog, follow_footprints)
CALLS(lose_way, follow_footprints)
CALLS(cross_desert, lose_way)

/* ---- Waits for a lock in shared memory, whose holder, a child, computes ---- */

struct ladder {
	pthread_mutex_t lock;
	sem_t is_taken;
};

static void paint_ceiling(void)
{
	burn(fleet_ms);
}

static struct ladder *new_ladder(void)
{
	struct ladder *ladder = mmap(NULL, sizeof(*ladder), PROT_READ | PROT_WRITE,
				     MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	pthread_mutexattr_t shared;

	pthread_mutexattr_init(&shared);
	pthread_mutexattr_setpshared(&shared, PTHREAD_PROCESS_SHARED);
	pthread_mutex_init(&ladder->lock, &shared);
	sem_init(&ladder->is_taken, 1, 0);
	return ladder;
}

static void use_ladder(struct ladder *ladder)
{
	pthread_mutex_lock(&ladder->lock);
	sem_post(&ladder->is_taken);
	paint_ceiling();
	pthread_mutex_unlock(&ladder->lock);
}

static void borrow_ladder(void)
{
	struct ladder *ladder = new_ladder();
	pid_t child = fork();

	if (child == 0) {
		use_ladder(ladder);
		_exit(0);
	}
	wait_for(&ladder->is_taken);
	pthread_mutex_lock(&ladder->lock);
	pthread_mutex_unlock(&ladder->lock);
	waitpid(child, NULL, 0);
	munmap(ladder, sizeof(*ladder));
}

CALLS(change_bulb, borrow_ladder)
CALLS(repair_house, change_bulb)
CALLS(rescue_cat, borrow_ladder)

/* ---- Writes a text that grows in memory ---- */

static void write_chapter(void)
{
	char *text = NULL;
	size_t length = 0;
	FILE *chapter = open_memstream(&text, &length);

	for (int i = 0; i < LINES; i++) {
		fputs("It was a dark night, and ", chapter);
		fputc('\n', chapter);
	}
	fclose(chapter);
	fleet_sum += length;
	free(text);
}

static void write_novel(void)
{
	repeat(write_chapter);
}

CALLS(please_publisher, write_novel)
CALLS(sign_contract, please_publisher)
CALLS(impress_readers, write_novel)

/* ---- Waits for the other end of a named pipe, which a thread that computes opens ---- */

static char stage[64];

static void tune_strings(void)
{
	burn(fleet_ms);
}

static void *enter_stage(void *unused)
{
	tune_strings();
	close(open(stage, O_RDONLY | O_CLOEXEC));
	return unused;
}

static void raise_curtain(void)
{
	pthread_t violinist;

	snprintf(stage, sizeof(stage), "fleet-stage-%d", getpid());
	mkfifo(stage, 0600);
	pthread_create(&violinist, NULL, enter_stage, NULL);
	close(open(stage, O_WRONLY | O_CLOEXEC));
	pthread_join(violinist, NULL);
	unlink(stage);
}

CALLS(perform_opera, raise_curtain)
CALLS(open_season, perform_opera)
CALLS(play_encore, raise_curtain)

/* ---- Moves bytes through a pipe ---- */

static int concrete[2];

static void pour_load(void)
{
	static char load[CONCRETE];

	fleet_sum += (unsigned long)write(concrete[1], load, sizeof(load));
	fleet_sum += (unsigned long)read(concrete[0], load, sizeof(load));
}

static void pour_concrete(void)
{
	if (pipe2(concrete, O_CLOEXEC) == 0) {
		repeat(pour_load);
		close(concrete[0]);
		close(concrete[1]);
	}
}

CALLS(build_bridge, pour_concrete)
CALLS(join_islands, build_bridge)
CALLS(lay_foundation, pour_concrete)

/* ---- Does little, and sleeps until more is due ---- */

static void ration_water(void)
{
	struct timespec due;

	clock_gettime(CLOCK_MONOTONIC, &due);
	for (int i = 0; i < RATIONS; i++) {
		long ns = due.tv_nsec + fleet_ms * 1000000 / RATIONS;

		due.tv_sec += ns / 1000000000;
		due.tv_nsec = ns % 1000000000;
		for (unsigned long drop = 0; drop < STEPS; drop++) {
			fleet_sum += drop;
		}
		clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &due, NULL);
	}
}

CALLS(survive_drought, ration_water)

/* ---- Waits at a terminal for what a child says that computes ---- */

static void recall_events(void)
{
	burn(fleet_ms);
}

static void question_witness(void)
{
	int witness = posix_openpt(O_RDWR | O_NOCTTY | O_CLOEXEC);
	char answer[64];
	int court;
	pid_t child;

	grantpt(witness);
	unlockpt(witness);
	fleet_sum += (unsigned long)ptsname_r(witness, answer, sizeof(answer));
	court = open(answer, O_RDWR | O_NOCTTY | O_CLOEXEC);
	child = fork();
	if (child == 0) {
		recall_events();
		_exit(write(witness, "yes\n", 4) != 4);
	}
	fleet_sum += (unsigned long)read(court, answer, sizeof(answer));
	waitpid(child, NULL, 0);
	close(court);
	close(witness);
}

CALLS(hold_trial, question_witness)
CALLS(convict_thief, hold_trial)
CALLS(verify_alibi, question_witness)

/* ---- Has the kernel lock memory ---- */

static void pin_some(void)
{
	static char butterflies[BUTTERFLIES];

	fleet_sum += (unsigned long)mlock(butterflies, sizeof(butterflies));
	fleet_sum += (unsigned long)munlock(butterflies, sizeof(butterflies));
}

static void pin_butterflies(void)
{
	repeat(pin_some);
}

CALLS(furnish_museum, pin_butterflies)

/* ---- Waits for a thread, which waits for a child that computes ---- */

static void weigh_evidence(void)
{
	burn(fleet_ms);
}

static void *retire_jury(void *unused)
{
	pid_t juror = fork();

	if (juror == 0) {
		weigh_evidence();
		_exit(0);
	}
	waitpid(juror, NULL, 0);
	return unused;
}

static void await_verdict(void)
{
	pthread_t jury;

	pthread_create(&jury, NULL, retire_jury, NULL);
	pthread_join(jury, NULL);
}

CALLS(close_case, await_verdict)

const struct fleet_cause fleet_causes[] = {
	{ "fetch_forecast", { hire_pickers, cover_greenhouse, tend_farm }, false },
	{ "follow_footprints", { answer_alarm, walk_dog, cross_desert }, true },
	{ "borrow_ladder", { repair_house, rescue_cat }, false },
	{ "write_novel", { sign_contract, impress_readers }, false },
	{ "raise_curtain", { open_season, play_encore }, true },
	{ "pour_concrete", { join_islands, lay_foundation }, false },
	{ "ration_water", { survive_drought }, true },
	{ "question_witness", { convict_thief, verify_alibi }, false },
	{ "pin_butterflies", { furnish_museum }, false },
	{ "await_verdict", { close_case }, true },
	{ 0 },
};
