/* SPDX-License-Identifier: MIT */
/*
 * Requests of which each draws a page for 4 ms, and loads it:
 *
 *     many-requests REQUESTS LOAD-MICROSECONDS
 *
 * Three times as many take three times as long to draw, and nobody is to blame.
 */
#include <fcntl.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

#define NOINLINE __attribute__((noinline, noclone))

static int out;

/* Ends a function, so that no call before it is made by a jump. */
static void done(void)
{
	__asm__ volatile("");
}

#define STEP(name)                                          \
	NOINLINE static void name(void)                     \
	{                                                   \
		if (write(out, #name, sizeof(#name)) < 0) { \
			exit(EXIT_FAILURE);                 \
		}                                           \
		done();                                     \
	}

STEP(accept_request)
STEP(check_rights)
STEP(find_page)
STEP(write_log)
STEP(count_visit)
STEP(send_reply)

NOINLINE static void draw(void)
{
	nanosleep(&(const struct timespec){ .tv_nsec = 4000000 }, NULL);
	done();
}

NOINLINE static void load(long microseconds)
{
	nanosleep(&(const struct timespec){ .tv_nsec = microseconds * 1000 }, NULL);
	done();
}

NOINLINE static void handle(long microseconds)
{
	accept_request();
	check_rights();
	find_page();
	load(microseconds);
	draw();
	write_log();
	count_visit();
	send_reply();
	done();
}

int main(int argc, char **argv)
{
	int requests = argc > 2 ? atoi(argv[1]) : 0;

	out = open("/dev/null", O_WRONLY);
	for (int i = 0; i < requests; i++) {
		handle(atol(argv[2]));
	}
	return requests > 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
