/* SPDX-License-Identifier: MIT */
/*
 * A program whose calls are known, for test-ust.sh, built with -finstrument-functions: main() calls
 * middle() 10 times, which calls leaf() 3 times; so does a second thread, below run(). Then
 * catch_jump() calls throw_jump(), which never returns to it, and leaf() once.
 */
#include <pthread.h>
#include <setjmp.h>
#include <stddef.h>
#include <unistd.h>

#define MIDDLE_CALLS 10
#define LEAF_CALLS 3
#define LEAF_US 100

static jmp_buf place;

static void leaf(void)
{
	usleep(LEAF_US);
}

static void middle(void)
{
	for (int i = 0; i < LEAF_CALLS; i++) {
		leaf();
	}
}

static void *run(void *data)
{
	for (int i = 0; i < MIDDLE_CALLS; i++) {
		middle();
	}
	return data;
}

static void throw_jump(void)
{
	longjmp(place, 1);
}

static void catch_jump(void)
{
	if (setjmp(place) == 0) {
		throw_jump();
	}
	leaf();
}

int main(void)
{
	pthread_t thread;

	for (int i = 0; i < MIDDLE_CALLS; i++) {
		middle();
	}
	if (pthread_create(&thread, NULL, run, NULL) != 0) {
		return 1;
	}
	pthread_join(thread, NULL);
	catch_jump();
	return 0;
}
