/* SPDX-License-Identifier: MIT */
/*
 * Answers COUNT requests of its child, each from a function whose stack is deeper than what a
 * recording copies of it: the system call that answers is in no context.
 */
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#define DEPTH (1 << 17)

static int ask_all(int to, long count)
{
	char byte = 0;

	for (; count > 0; count--) {
		if (write(to, &byte, 1) != 1 || read(to, &byte, 1) != 1) {
			return 1;
		}
	}
	return 0;
}

/* Uses all of it, so that it is there. */
static __attribute__((noinline)) void answer(int client)
{
	char text[DEPTH];

	memset(text, client, sizeof(text));
	if (write(client, text, 1) != 1) {
		_exit(1);
	}
	__asm__ volatile("" ::"r"(text) : "memory");
}

static void serve(int client)
{
	char byte;

	while (read(client, &byte, 1) == 1) {
		answer(client);
		fsync(client);
	}
}

int main(int argc, char **argv)
{
	int ends[2];

	if (argc != 2 || socketpair(AF_UNIX, SOCK_STREAM, 0, ends) != 0) {
		return 1;
	}
	if (fork() == 0) {
		close(ends[0]);
		_exit(ask_all(ends[1], atol(argv[1])));
	}
	close(ends[1]);
	serve(ends[0]);
	wait(NULL);
	return 0;
}
