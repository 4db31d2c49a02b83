/* SPDX-License-Identifier: MIT */
/*
 * desk CONNECTIONS: to who connects to the socket that is its input
 */
#include <err.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

enum {
	KEEP_ALIVE = 100
}; // milliseconds

static unsigned make_list(char *list, size_t size) __attribute__((noinline));
static unsigned make_list(char *list, size_t size)
{
	unsigned sum = 1;
	for (int round = 0; round < 2800; round++)
		for (size_t i = 0; i < size; i++) {
			sum = (sum ^ round) * 16777619u + (sum >> 15);
			list[i] = 'a' + sum % 26;
		}
	return sum;
}

// 0 if there is none.
static size_t next_request(int s, char *request, size_t size) __attribute__((noinline));
static size_t next_request(int s, char *request, size_t size)
{
	struct pollfd wait = { .fd = s, .events = POLLIN };
	if (poll(&wait, 1, KEEP_ALIVE) <= 0)
		return 0;
	ssize_t got = recv(s, request, size, 0);
	return got > 0 ? got : 0;
}

static void serve(int s)
{
	char request[1024], list[4000], head[128];
	while (next_request(s, request, sizeof request)) {
		char answer[sizeof list + sizeof head];
		make_list(list, sizeof list);
		int length = snprintf(
			head, sizeof head,
			"HTTP/1.1 200 OK\r\nConnection: keep-alive\r\nContent-Length: %zu\r\n\r\n",
			sizeof list);
		memcpy(answer, head, length);
		memcpy(answer + length, list, sizeof list);
		if (send(s, answer, length + sizeof list, MSG_NOSIGNAL) < 0)
			break;
	}
	close(s);
}

int main(int argc, char **argv)
{
	if (argc != 2)
		return 2;
	for (int i = atoi(argv[1]); i > 0; i--) {
		int s = accept(0, NULL, NULL);
		if (s < 0)
			err(1, "accept");
		serve(s);
	}
	return 0;
}
