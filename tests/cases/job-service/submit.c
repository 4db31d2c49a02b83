/* SPDX-License-Identifier: MIT */
/*
 * submit ADDRESS FIRST COUNT: gives so many jobs to jobd, numbered from FIRST, and tells of each
 * that it was done when a few others have been given.
 */

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <zmq.h>

#define OPEN 10

static unsigned long ask(void *socket, const char *request)
{
	char reply[64];
	int size;

	if (zmq_send(socket, request, strlen(request), 0) < 0 ||
	    (size = zmq_recv(socket, reply, sizeof(reply) - 1, 0)) < 0) {
		fprintf(stderr, "no answer: %s\n", zmq_strerror(zmq_errno()));
		exit(1);
	}
	reply[size < (int)sizeof(reply) ? size : (int)sizeof(reply) - 1] = '\0';
	return strtoul(reply, NULL, 10);
}

/* The lines of an invoice, and a checksum of them. */
static unsigned long compose(unsigned long number)
{
	static char text[8192];
	unsigned long sum = number;

	for (int page = 0; page < 1000; page++) {
		size_t length = 0;

		for (int line = 0; line < 40; line++)
			length += snprintf(text + length, sizeof(text) - length,
					   "%3d article %07lu, %d pieces, %8.2f each\n", line,
					   (number + page) * 7919 % 999983 + line, line % 7 + 1,
					   (number * 31 + line) % 9973 / 100.0);
		for (size_t i = 0; i < length; i++)
			sum = sum * 31 + (unsigned char)text[i];
	}
	return sum;
}

static void describe(char *text, size_t size, unsigned long number)
{
	snprintf(text, size, "put %lu print invoice-%lu.pdf to printer%lu, checksum %016lx", number,
		 number, number % 17, compose(number));
}

int main(int argc, char **argv)
{
	void *context = zmq_ctx_new(), *socket = zmq_socket(context, ZMQ_REQ);
	unsigned long first, count, left = 0;
	char request[256];

	if (argc != 4 || zmq_connect(socket, argv[1]) != 0)
		return 2;
	first = strtoul(argv[2], NULL, 10);
	count = strtoul(argv[3], NULL, 10);
	for (unsigned long i = 0; i < count + OPEN; i++) {
		if (i < count) {
			describe(request, sizeof(request), first + i);
			left = ask(socket, request);
		}
		if (i >= OPEN) {
			snprintf(request, sizeof(request), "done %lu", first + i - OPEN);
			left = ask(socket, request);
		}
	}
	printf("%lu jobs done, %lu left\n", count, left);
	zmq_close(socket);
	zmq_ctx_term(context);
	return 0;
}
