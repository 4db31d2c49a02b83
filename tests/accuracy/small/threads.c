/* SPDX-License-Identifier: MIT */
/*
 * Threads that come and go, share a lock and wait for one another.
 */
#include <pthread.h>

#include "work.h"

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static void inside(int64_t ns)
{
	work_compute(ns);
	work_write();
}

static void critical(int n)
{
	pthread_mutex_lock(&lock);
	inside(40000 + n % 5 * 20000);
	pthread_mutex_unlock(&lock);
}

static void task(int n)
{
	work_compute(80000);
	critical(n);
	if (n % 6 == 0) {
		work_sleep(200000);
	}
}

static void *worker(void *argument)
{
	(void)argument;
	for (int n = 0; n < 200; n++) {
		task(n);
	}
	return NULL;
}

static void generation(void)
{
	pthread_t threads[3];

	for (int i = 0; i < 3; i++) {
		pthread_create(&threads[i], NULL, worker, NULL);
	}
	for (int i = 0; i < 3; i++) {
		pthread_join(threads[i], NULL);
	}
}

int main(void)
{
	for (int n = 0; n < 8; n++) {
		generation();
	}
	return 0;
}
