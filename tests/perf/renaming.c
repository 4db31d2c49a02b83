/* SPDX-License-Identifier: MIT */
/*
 * A program to record: its first thread waits for another, which has given itself a name of its own
 * and does all that is done, until the program is ended.
 */
#define _GNU_SOURCE

#include <pthread.h>
#include <sys/prctl.h>
#include <time.h>

static void *work(void *data)
{
	const struct timespec pause = { .tv_nsec = 1000000 };

	(void)data;
	prctl(PR_SET_NAME, "a-worker");
	for (;;) {
		nanosleep(&pause, NULL);
	}
	return NULL;
}

int main(void)
{
	pthread_t thread;

	if (pthread_create(&thread, NULL, work, NULL) != 0) {
		return 1;
	}
	pthread_join(thread, NULL);
	return 0;
}
