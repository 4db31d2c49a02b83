/* SPDX-License-Identifier: MIT */
/*
 * A server in small: an event loop that waits for a byte on its standard input, and takes its time
 * to answer. Built with frame pointers.
 *
 *   server MICROSECONDS
 */
#include <stdbool.h>
#include <stdlib.h>
#include <sys/epoll.h>
#include <time.h>
#include <unistd.h>

static volatile unsigned int answers;

/* Each does something after its call, so that no call becomes a jump. */
static bool __attribute__((noinline)) wait_for_request(int events)
{
	struct epoll_event event;
	char request;

	epoll_wait(events, &event, 1, -1);
	return read(STDIN_FILENO, &request, 1) == 1;
}

static void __attribute__((noinline)) answer(long microseconds)
{
	const struct timespec time = { .tv_nsec = microseconds * 1000 };

	nanosleep(&time, NULL);
	answers++;
}

int main(int argc, char **argv)
{
	struct epoll_event event = { .events = EPOLLIN };
	long microseconds = argc > 1 ? atol(argv[1]) : 0;
	int events = epoll_create1(0);

	if (epoll_ctl(events, EPOLL_CTL_ADD, STDIN_FILENO, &event) != 0) {
		return 1;
	}
	while (wait_for_request(events)) {
		answer(microseconds);
	}
	return 0;
}
