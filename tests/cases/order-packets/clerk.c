/* SPDX-License-Identifier: MIT */
/*
 * clerk: answers, on a connection that comes to the socket that is its standard input, what each
 * order costs.
 */
#include <err.h>
#include <stdlib.h>
#include <sys/socket.h>
#include <unistd.h>

#include "order.h"

__attribute__((noinline)) static int next_order(int fd, struct head *head, struct line *lines)
{
	size_t size;

	if (recv(fd, head, sizeof(*head), MSG_WAITALL) != sizeof(*head))
		return 0;
	if (head->lines > LINES)
		errx(1, "too long an order");
	size = head->lines * sizeof(*lines);
	if (recv(fd, lines, size, MSG_WAITALL) != (ssize_t)size)
		errx(1, "no order");
	return 1;
}

__attribute__((noinline)) static uint32_t price(const struct line *lines, uint32_t count)
{
	uint32_t cents = 0, i, round, one;

	for (i = 0; i < count; i++) {
		one = lines[i].article;
		for (round = 0; round < 8000; round++)
			one = (one ^ (one >> 13)) * 2654435761u + round;
		cents += one % 1000 * lines[i].amount;
	}
	return cents;
}

int main(void)
{
	struct head head;
	struct line lines[LINES];
	int fd = accept(0, NULL, NULL);

	if (fd < 0)
		err(1, "accept");
	while (next_order(fd, &head, lines)) {
		struct answer answer = { head.number, price(lines, head.lines) };

		if (write(fd, &answer, sizeof(answer)) != sizeof(answer))
			err(1, "write");
	}
	return 0;
}
