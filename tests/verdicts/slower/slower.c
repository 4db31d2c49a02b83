/* SPDX-License-Identifier: MIT */
/*
 * Ten small programs in one, of which one function can be made slower by a known part, and which
 * can wait in a function of their own that they call at no other time:
 *
 *     slower PROGRAM PERCENT [PIECES MILLISECONDS]
 *
 * The function is always answer(). It takes about half of the CPU time of a run, which is some 1 s;
 * three or more other functions share the rest. None of the programs is of a kind that slowed.c
 * has: they compress text, parse JSON, align sequences, interpret bytecode, blur an image, keep
 * values in a log, parse requests in a child, compute powers of large numbers, match lines with a
 * backtracker, and play the game of life on two threads.
 */
#define _GNU_SOURCE /* pthread_cond_clockwait() */
#include "slower.h"

#include <errno.h>
#include <linux/futex.h>
#include <poll.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <sys/select.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

static const struct program *const programs[] = {
	&compress_program, &parse_program, &align_program, &interpret_program, &image_program,
	&store_program,    &serve_program, &power_program, &match_program,     &life_program,
};

const struct program *program;
unsigned int slower_percent;
volatile uint64_t sink;
uint32_t seed = 1;
static unsigned int pieces;
static unsigned int milliseconds;
/* A pipe to which nobody writes. */
static int quiet[2];

void check(bool is_right)
{
	if (!is_right) {
		exit(EXIT_FAILURE);
	}
}

char *put_text(char *to, const char *text)
{
	while (*text) {
		*to++ = *text++;
	}
	return to;
}

char *put_number(char *to, uint32_t number)
{
	char digits[10];
	unsigned int count = 0;

	do {
		digits[count++] = (char)('0' + number % 10);
		number /= 10;
	} while (number > 0);
	while (count > 0) {
		*to++ = digits[--count];
	}
	return to;
}

NOINLINE void answer(void)
{
	program->work();
	done();
}

/* ---- The new wait ---- */

static void wait_for_condition(const struct timespec *time)
{
	static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
	static pthread_cond_t never = PTHREAD_COND_INITIALIZER;
	struct timespec until;

	clock_gettime(CLOCK_MONOTONIC, &until);
	until.tv_sec += time->tv_sec;
	until.tv_nsec += time->tv_nsec;
	if (until.tv_nsec >= 1000000000L) {
		until.tv_nsec -= 1000000000L;
		until.tv_sec++;
	}
	pthread_mutex_lock(&mutex);
	while (pthread_cond_clockwait(&never, &mutex, CLOCK_MONOTONIC, &until) != ETIMEDOUT) {
	}
	pthread_mutex_unlock(&mutex);
}

NOINLINE static void look_up(void)
{
	struct timespec time = { .tv_sec = milliseconds / 1000,
				 .tv_nsec = milliseconds % 1000 * 1000000L };
	struct pollfd polled = { .fd = quiet[0], .events = POLLIN };
	uint32_t word = 0;

	switch (program->wait) {
	case WAIT_SLEEP:
		nanosleep(&time, NULL);
		break;
	case WAIT_POLL:
		poll(&polled, 1, (int)milliseconds);
		break;
	case WAIT_SELECT:
		pselect(0, NULL, NULL, NULL, &time, NULL);
		break;
	case WAIT_FUTEX:
		syscall(SYS_futex, &word, FUTEX_WAIT_PRIVATE, 0, &time, NULL, 0);
		break;
	case WAIT_CONDITION:
		wait_for_condition(&time);
		break;
	}
	done();
}

void look_up_if_due(unsigned int round)
{
	static unsigned int waited;

	while (waited < (round + 1) * pieces / program->rounds) {
		waited++;
		look_up();
	}
}

/* ---- A run ---- */

int main(int argc, char **argv)
{
	if (argc < 3) {
		return EXIT_FAILURE;
	}
	for (unsigned int i = 0; i < sizeof(programs) / sizeof(programs[0]); i++) {
		if (strcmp(programs[i]->name, argv[1]) == 0) {
			program = programs[i];
		}
	}
	slower_percent = (unsigned int)atoi(argv[2]);
	if (!program || slower_percent > PERCENT_MOST || pipe(quiet) != 0) {
		return EXIT_FAILURE;
	}
	if (argc > 4) {
		pieces = (unsigned int)atoi(argv[3]);
		milliseconds = (unsigned int)atoi(argv[4]);
	}
	if (program->prepare) {
		program->prepare();
	}
	for (unsigned int round = 0; round < program->rounds; round++) {
		program->handle(round);
	}
	return EXIT_SUCCESS;
}
