/* SPDX-License-Identifier: MIT */
/*
 * A program that goes on until it is ended, for test-live-ust.sh, built with
 * -finstrument-functions: main() calls handle() again and again, which sleeps in leaf(); a second
 * thread hangs in hang(), below run().
 */
#include <pthread.h>
#include <stddef.h>
#include <unistd.h>

#define LEAF_US 2000

static void leaf(void)
{
	usleep(LEAF_US);
}

static void handle(void)
{
	leaf();
}

static void hang(void)
{
	for (;;) {
		pause();
	}
}

static void *run(void *data)
{
	hang();
	return data;
}

int main(void)
{
	pthread_t thread;

	if (pthread_create(&thread, NULL, run, NULL) != 0) {
		return 1;
	}
	for (;;) {
		handle();
	}
}
