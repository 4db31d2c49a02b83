/* SPDX-License-Identifier: MIT */
/*
 * What the causes of a fleet share: causes.c and its like each make a library of causes, which
 * programs are started with; fleet.c runs the one that the environment names.
 */
#ifndef FLEET_H
#define FLEET_H

#include <semaphore.h>
#include <stdbool.h>

struct fleet_cause {
	/* That of the function that stands for it. */
	const char *name;
	/* The ways to it, of which FLEET_PATH is one. */
	void (*paths[3])(void);
	/* Not when the program starts but when it ends. */
	bool at_end;
};

/* Of the library; the last has no name. */
extern const struct fleet_cause fleet_causes[];

/* How long the cause is to take. */
extern long fleet_ms;

/* What has been computed, so that it must be. */
extern volatile unsigned long fleet_sum;

/* A function that does nothing but call another one. */
#define CALLS(caller, callee)    \
	static void caller(void) \
	{                        \
		callee();        \
	}

/* A clock, by which all causes go: by the CPU time of a thread, those that compute would cost a
 * program the more the busier the machine is, and the others not. */
long fleet_clock_ms(void);
/* When the cause, if it begins now, has taken fleet_ms. */
long due_ms(void);
/* Repeats it until fleet_ms are over. */
void repeat(void (*work)(void));
void pause_ms(long ms);
void wait_for(sem_t *sem);

/* Computes for so much of it, as part of the function that calls it: what computes in life does so
 * in code of its own. */
static inline __attribute__((always_inline)) void burn(long ms)
{
	long until = fleet_clock_ms() + ms;

	do {
		for (unsigned long i = 0; i < 400000; i++) {
			fleet_sum += i * i;
		}
	} while (fleet_clock_ms() < until);
}

#endif
