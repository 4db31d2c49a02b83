/* SPDX-License-Identifier: MIT */
/*
 * What the small programs do between calls: compute for a while, write a byte, sleep.
 */
#ifndef ITP_ACCURACY_WORK_H
#define ITP_ACCURACY_WORK_H

#include <fcntl.h>
#include <stdint.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

#define UNTRACED __attribute__((no_instrument_function, noinline, unused))

/* A random number generator with a fixed seed: every run does the same. */
static uint64_t work_state = 88172645463325252u;

UNTRACED static uint64_t work_random(void)
{
	work_state ^= work_state << 13;
	work_state ^= work_state >> 7;
	work_state ^= work_state << 17;
	return work_state;
}

UNTRACED static int64_t work_now_ns(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return now.tv_sec * 1000000000ll + now.tv_nsec;
}

/* How many times as much work there is to be: the program's argument. */
UNTRACED static int work_times(char **argv)
{
	return argv[1] ? atoi(argv[1]) : 1;
}

/* Computes for so long. */
UNTRACED static void work_compute(int64_t ns)
{
	int64_t end = work_now_ns() + ns;

	while (work_now_ns() < end) {
		work_random();
	}
}

/* One system call. */
UNTRACED static void work_write(void)
{
	static int fd = -1;

	if (fd < 0) {
		fd = open("/dev/null", O_WRONLY);
	}
	if (write(fd, "x", 1) != 1) {
		_exit(3);
	}
}

UNTRACED static void work_sleep(int64_t ns)
{
	const struct timespec time = { .tv_sec = ns / 1000000000, .tv_nsec = ns % 1000000000 };

	nanosleep(&time, NULL);
}

#endif
