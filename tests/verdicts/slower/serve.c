/* SPDX-License-Identifier: MIT */
/*
 * A program of slower.c, "serve": a child that parses requests and replies.
 */
#define _GNU_SOURCE /* mempcpy() */
#include "slower.h"

#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#define REQUESTS 500
#define REQUEST_LONGEST 400
#define HEADERS 8

static const char *const header_names[HEADERS] = { "Host",       "User-Agent",
						   "Accept",     "Accept-Encoding",
						   "Cookie",     "Content-Length",
						   "Connection", "X-Request" };

static struct request {
	const char *method;
	char path[128];
	unsigned int parameters;
	const char *headers[HEADERS];
	/* Of all headers, by which an equal request is known. */
	uint32_t hash;
	/* Characters that no header may have. */
	unsigned int wrong;
} requests[ROOM(REQUESTS)];

static char stream[REQUESTS * REQUEST_LONGEST];
static char *heads[REQUESTS];
static int peer;

static bool read_all(void *to, size_t size)
{
	for (size_t at = 0; at < size;) {
		ssize_t count = read(peer, (char *)to + at, size - at);

		if (count <= 0) {
			return false;
		}
		at += (size_t)count;
	}
	return true;
}

static void write_all(const void *from, size_t size)
{
	for (size_t at = 0; at < size;) {
		ssize_t count = write(peer, (const char *)from + at, size - at);

		check(count > 0);
		at += (size_t)count;
	}
}

NOINLINE static bool receive(void)
{
	uint32_t size;

	if (!read_all(&size, sizeof(size)) || !read_all(stream, size)) {
		return false;
	}
	stream[size] = '\0';
	return true;
}

NOINLINE static void deliver(const char *end)
{
	uint32_t size = (uint32_t)(end - stream);

	write_all(&size, sizeof(size));
	write_all(stream, size);
	done();
}

NOINLINE static char *make_requests(void)
{
	char *to = stream;

	for (unsigned int i = 0; i < REQUESTS; i++) {
		to = stpcpy(to, i % 4 ? "GET /shop/item%20" : "POST /cart/add%2F");
		to = put_number(to, next() % 10000);
		to = stpcpy(to, "?colour=dark%2Dblue&size=");
		to = put_number(to, next() % 50);
		to = stpcpy(to, " HTTP/1.1\r\nHost: www.example.org\r\n"
				"User-agent: slower/1.0 (Linux)\r\nAccept: text/html, */*\r\n"
				"Connection: keep-alive\r\nCookie: session=");
		for (unsigned int k = 0; k < 4; k++) {
			to = put_number(to, next());
		}
		to = stpcpy(to, "\r\nX-Request: ");
		to = put_number(to, i);
		to = stpcpy(to, "\r\n\r\n");
	}
	return to;
}

/* Where each request begins. */
NOINLINE static void split_requests(void)
{
	char *at = stream;

	for (unsigned int i = 0; i < REQUESTS; i++) {
		heads[i] = at;
		at = strstr(at, "\r\n\r\n");
		check(at != NULL);
		at += 4;
	}
	done();
}

static unsigned int hex_digit(char digit)
{
	return digit <= '9' ? (unsigned int)digit - '0' : ((unsigned int)digit | 32) - 'a' + 10;
}

static const char *parse_path(const char *at, struct request *request)
{
	char *to = request->path;

	request->parameters = 0;
	for (; *at != ' '; at++) {
		request->parameters += *at == '=';
		if (*at == '%') {
			*to++ = (char)(hex_digit(at[1]) << 4 | hex_digit(at[2]));
			at += 2;
		} else {
			*to++ = *at;
		}
	}
	*to = '\0';
	return at;
}

static const char *parse_header(const char *at, struct request *request)
{
	for (unsigned int i = 0; i < HEADERS; i++) {
		size_t length = strlen(header_names[i]);

		if (strncasecmp(at, header_names[i], length) == 0 && at[length] == ':') {
			request->headers[i] = at + length + 2;
			break;
		}
	}
	for (; *at != '\r'; at++) {
		request->hash = (request->hash ^ (unsigned char)*at) * 16777619;
		request->wrong += *at < ' ' || *at > '~';
	}
	return at + 2;
}

static void parse_request(const char *at, struct request *request)
{
	memset(request->headers, 0, sizeof(request->headers));
	request->method = at;
	request->hash = 2166136261U;
	request->wrong = 0;
	at = strchr(parse_path(strchr(at, ' ') + 1, request), '\n') + 1;
	while (*at != '\r') {
		at = parse_header(at, request);
	}
}

NOINLINE static void work_serve(void)
{
	for (unsigned int i = 0; i < more(REQUESTS); i++) {
		parse_request(heads[i % REQUESTS], &requests[i]);
	}
	sink += requests[REQUESTS / 2].hash;
	done();
}

/* Over the requests, which are parsed: none of what it prints comes from there but the paths. */
NOINLINE static char *print_replies(void)
{
	static char body[512];
	char *to = stream;

	for (unsigned int i = 0; i < REQUESTS; i++) {
		char *end = put_text(body, "<p>");

		for (const char *path = requests[i].path; *path; path++) {
			if (*path == '&') {
				end = put_text(end, "&amp;");
			} else {
				*end++ = *path;
			}
		}
		end = put_text(end, "</p>\n");
		to = put_text(to, "HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nContent-Length: ");
		to = put_number(to, (uint32_t)(end - body));
		to = put_text(to, "\r\n\r\n");
		to = mempcpy(to, body, (size_t)(end - body));
	}
	return to;
}

NOINLINE static void check_replies(void)
{
	const char *at = stream;
	uint64_t sum = 0;

	for (unsigned int i = 0; i < REQUESTS; i++) {
		const char *length = strstr(at, "Content-Length: ") + 16;
		const char *body = strstr(length, "\r\n\r\n") + 4;

		check(strncmp(at, "HTTP/1.1 200", 12) == 0);
		at = body + atoi(length);
		for (; body < at; body++) {
			sum = sum * 31 + (unsigned char)*body;
		}
	}
	sink += sum;
	done();
}

static void serve(void)
{
	/* The parent closes it when all are done. */
	for (unsigned int round = 0; receive(); round++) {
		split_requests();
		answer();
		look_up_if_due(round);
		deliver(print_replies());
	}
	exit(EXIT_SUCCESS);
}

static void prepare_serve(void)
{
	int peers[2];

	check(socketpair(AF_UNIX, SOCK_STREAM, 0, peers) == 0);
	if (fork() == 0) {
		close(peers[0]);
		peer = peers[1];
		serve();
	}
	close(peers[1]);
	peer = peers[0];
}

static void handle_serve(unsigned int round)
{
	deliver(make_requests());
	check(receive());
	check_replies();
	if (round + 1 == program->rounds) {
		close(peer);
		wait(NULL);
	}
	done();
}

const struct program serve_program = {
	.name = "serve",
	.rounds = 2050,
	.wait = WAIT_POLL,
	.prepare = prepare_serve,
	.handle = handle_serve,
	.work = work_serve,
};
