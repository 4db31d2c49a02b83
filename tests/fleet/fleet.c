/* SPDX-License-Identifier: MIT */
/*
 * See fleet.h. FLEET_CAUSE is the name of a cause, FLEET_PATH the number of the way to it, and
 * FLEET_MS how long it takes. Only the program itself is slow, not the programs that it starts, nor
 * its children.
 */
#include "fleet.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

long fleet_ms;
volatile unsigned long fleet_sum;

static const struct fleet_cause *cause;
static int path;
static pid_t program;

long fleet_clock_ms(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return now.tv_sec * 1000 + now.tv_nsec / 1000000;
}

long due_ms(void)
{
	return fleet_clock_ms() + fleet_ms;
}

void repeat(void (*work)(void))
{
	long end_ms = due_ms();

	do {
		work();
	} while (fleet_clock_ms() < end_ms);
}

void pause_ms(long ms)
{
	nanosleep(&(struct timespec){ ms / 1000, ms % 1000 * 1000000 }, NULL);
}

void wait_for(sem_t *sem)
{
	while (sem_wait(sem) != 0) {
	}
}

static const struct fleet_cause *find_cause(const char *name)
{
	const struct fleet_cause *found = fleet_causes;

	while (found->name && strcmp(found->name, name) != 0) {
		found++;
	}
	if (!found->name) {
		fprintf(stderr, "fleet: there is no cause \"%s\"\n", name);
		_exit(99);
	}
	return found;
}

static void run_cause(bool at_end)
{
	if (cause && cause->at_end == at_end && getpid() == program) {
		cause->paths[path]();
	}
}

__attribute__((constructor)) static void start_up(void)
{
	const char *name = getenv("FLEET_CAUSE");

	if (name) {
		cause = find_cause(name);
		path = atoi(getenv("FLEET_PATH"));
		fleet_ms = atol(getenv("FLEET_MS"));
		program = getpid();
		unsetenv("FLEET_CAUSE");
		unsetenv("LD_PRELOAD");
	}
	run_cause(false);
}

__attribute__((destructor)) static void shut_down(void)
{
	run_cause(true);
}
