/* SPDX-License-Identifier: MIT */
/*
 * A program to record: a thread sleeps in a function with a large frame, of which nothing was ever
 * touched but both ends. The kernel copies no further than the first page that is not there. Built
 * without frame pointers.
 */
#include <pthread.h>
#include <time.h>

#define FRAME_BYTES 16384
#define ROUNDS 60

static volatile char *last;

static void large_pause(void)
{
	const struct timespec pause = { .tv_nsec = 200000 };
	volatile char untouched[FRAME_BYTES];

	untouched[FRAME_BYTES - 1] = 1;
	last = untouched;
	nanosleep(&pause, NULL);
	last = NULL;
}

static void *large_thread(void *data)
{
	for (int i = 0; i < ROUNDS; i++) {
		large_pause();
	}
	return data;
}

int main(void)
{
	pthread_t thread;

	if (pthread_create(&thread, NULL, large_thread, NULL) != 0) {
		return 1;
	}
	pthread_join(thread, NULL);
	return 0;
}
