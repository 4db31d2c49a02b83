/* SPDX-License-Identifier: MIT */
/*
 * till CLERK once|twice ORDERS: starts the clerk, and asks it for the prices of so many orders,
 * each of which is written at once or in two parts.
 */
#include <arpa/inet.h>
#include <err.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/uio.h>
#include <sys/wait.h>
#include <unistd.h>

#include "order.h"

__attribute__((noinline)) static void write_all(int fd, const void *data, size_t size)
{
	if (write(fd, data, size) != (ssize_t)size)
		err(1, "write");
}

__attribute__((noinline)) static uint32_t exchange(int fd, uint32_t number,
						   const struct line *lines, int once)
{
	struct head head = { number, LINES };
	struct answer answer;

	if (once) {
		struct iovec parts[] = {
			{ &head, sizeof(head) },
			{ (void *)lines, LINES * sizeof(*lines) },
		};
		if (writev(fd, parts, 2) < 0)
			err(1, "writev");
	} else {
		write_all(fd, &head, sizeof(head));
		write_all(fd, lines, LINES * sizeof(*lines));
	}
	if (recv(fd, &answer, sizeof(answer), MSG_WAITALL) != sizeof(answer))
		errx(1, "no answer");
	if (answer.number != number)
		errx(1, "answer to another order");
	return answer.cents;
}

/* An order, as a customer puts it together: takes its time. */
__attribute__((noinline)) static void fill(struct line *lines, uint32_t number)
{
	uint32_t seed = number * 2654435761u + 1;
	int i, round;

	for (i = 0; i < LINES; i++) {
		for (round = 0; round < 150000; round++)
			seed = (seed ^ (seed >> 15)) * 2246822519u + round;
		lines[i].article = seed % 977;
		lines[i].amount = 1 + seed % 5;
	}
}

int main(int argc, char **argv)
{
	struct sockaddr_in address = { .sin_family = AF_INET };
	socklen_t size = sizeof(address);
	int listener = socket(AF_INET, SOCK_STREAM, 0), fd, once, orders, i;
	uint64_t total = 0;
	pid_t clerk;

	if (argc != 4)
		errx(1, "till CLERK once|twice ORDERS");
	once = !strcmp(argv[2], "once");
	orders = atoi(argv[3]);
	address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
	if (bind(listener, (struct sockaddr *)&address, size) || listen(listener, 1) ||
	    getsockname(listener, (struct sockaddr *)&address, &size))
		err(1, "listen");
	clerk = fork();
	if (clerk == 0) {
		dup2(listener, 0);
		execl(argv[1], "clerk", (char *)NULL);
		err(1, "%s", argv[1]);
	}
	close(listener);
	fd = socket(AF_INET, SOCK_STREAM, 0);
	if (connect(fd, (struct sockaddr *)&address, size))
		err(1, "connect");
	for (i = 0; i < orders; i++) {
		struct line lines[LINES];

		fill(lines, i);
		total += exchange(fd, i, lines, once);
	}
	close(fd);
	waitpid(clerk, NULL, 0);
	printf("%d orders, %llu cents\n", orders, (unsigned long long)total);
	return 0;
}
