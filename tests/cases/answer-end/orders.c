/* SPDX-License-Identifier: MIT */
/*
 * orders DESK length|end ORDERS
 */
#include <arpa/inet.h>
#include <err.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

static char answer[65536];

static void send_order(int s, int number) __attribute__((noinline));
static void send_order(int s, int number)
{
	char order[128];
	int length = snprintf(order, sizeof order, "GET /orders/%d HTTP/1.1\r\nHost: desk\r\n\r\n",
			      number);
	if (send(s, order, length, 0) != length)
		err(1, "send");
}

// How long it is, with its head.
static size_t read_answer(int s, int to_end) __attribute__((noinline));
static size_t read_answer(int s, int to_end)
{
	size_t have = 0, want = sizeof answer - 1;
	ssize_t got;
	while (have < want && (got = recv(s, answer + have, want - have, 0)) > 0) {
		have += got;
		answer[have] = 0;
		char *head = strstr(answer, "\r\n\r\n"),
		     *length = strstr(answer, "Content-Length: ");
		if (!to_end && head && length)
			want = head + 4 - answer + atoi(length + strlen("Content-Length: "));
	}
	return have;
}

int main(int argc, char **argv)
{
	struct sockaddr_in address = { .sin_family = AF_INET,
				       .sin_addr.s_addr = htonl(INADDR_LOOPBACK) };
	socklen_t length = sizeof address;
	size_t sum = 0;
	if (argc != 4)
		return 2;
	int listener = socket(AF_INET, SOCK_STREAM, 0);
	if (bind(listener, (struct sockaddr *)&address, sizeof address) || listen(listener, 8) ||
	    getsockname(listener, (struct sockaddr *)&address, &length))
		err(1, "listen");
	pid_t child = fork();
	if (child == 0) {
		dup2(listener, 0);
		execl(argv[1], "desk", argv[3], (char *)NULL);
		err(1, "%s", argv[1]);
	}
	close(listener);
	for (int i = 0; i < atoi(argv[3]); i++) {
		int s = socket(AF_INET, SOCK_STREAM, 0);
		if (connect(s, (struct sockaddr *)&address, sizeof address))
			err(1, "connect");
		send_order(s, i);
		sum += read_answer(s, !strcmp(argv[2], "end"));
		close(s);
	}
	waitpid(child, NULL, 0);
	printf("%zu\n", sum);
	return 0;
}
