/* SPDX-License-Identifier: MIT */
/*
 * A client that asks a server, which asks another one: 50 requests over sockets, or with "pipes"
 * over pipes. The last one is where the time goes: it sleeps in fetch_row(). The client writes for
 * each request its number, and when it was sent and answered (CLOCK_MONOTONIC).
 */
#include <arpa/inet.h>
#include <netinet/in.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#define REQUESTS 50
#define MESSAGE_BYTES 64
#define ROW_US 2000

/* Where one reads what is asked, and writes the answer; or the other way round. */
struct line {
	int in;
	int out;
};

static void check(int result, const char *what)
{
	if (result < 0) {
		perror(what);
		exit(1);
	}
}

static int listen_anywhere(struct sockaddr_in *address)
{
	socklen_t size = sizeof(*address);
	int listener = socket(AF_INET, SOCK_STREAM, 0);

	*address = (struct sockaddr_in){ .sin_family = AF_INET,
					 .sin_addr.s_addr = htonl(INADDR_LOOPBACK) };
	check(bind(listener, (struct sockaddr *)address, size), "bind");
	check(getsockname(listener, (struct sockaddr *)address, &size), "getsockname");
	check(listen(listener, 1), "listen");
	return listener;
}

static struct line connect_to(const struct sockaddr_in *address)
{
	int end = socket(AF_INET, SOCK_STREAM, 0);

	check(connect(end, (const struct sockaddr *)address, sizeof(*address)), "connect");
	return (struct line){ end, end };
}

static struct line accept_from(int listener)
{
	int end = accept(listener, NULL, NULL);

	check(end, "accept");
	return (struct line){ end, end };
}

__attribute__((noinline)) static void fetch_row(void)
{
	usleep(ROW_US);
}

static ssize_t receive(const struct line *line, char *message)
{
	return read(line->in, message, MESSAGE_BYTES);
}

static void transmit(const struct line *line, const char *message, size_t size)
{
	check((int)write(line->out, message, size), "write");
}

__attribute__((noinline)) static void serve_rows(const struct line *asking)
{
	char message[MESSAGE_BYTES];
	ssize_t size;

	while ((size = receive(asking, message)) > 0) {
		fetch_row();
		transmit(asking, message, (size_t)size);
	}
}

__attribute__((noinline)) static void serve_pages(const struct line *asking,
						  const struct line *asked)
{
	char message[MESSAGE_BYTES];
	ssize_t size;

	while ((size = receive(asking, message)) > 0) {
		transmit(asked, message, (size_t)size);
		size = receive(asked, message);
		transmit(asking, message, (size_t)size);
	}
}

static long long now_ns(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return now.tv_sec * 1000000000LL + now.tv_nsec;
}

static void ask_all(const struct line *asked)
{
	char message[MESSAGE_BYTES];

	for (int i = 0; i < REQUESTS; i++) {
		int size = snprintf(message, sizeof(message), "request %d", i);
		long long begin_ns = now_ns();

		transmit(asked, message, (size_t)size);
		check((int)receive(asked, message), "read");
		printf("%d %lld %lld\n", i, begin_ns, now_ns());
	}
}

static pid_t begin(const char *name)
{
	pid_t pid = fork();

	check(pid, "fork");
	if (pid == 0) {
		prctl(PR_SET_NAME, name);
	}
	return pid;
}

/* Two lines, one end of each for either side: `ret_asking` asks through the pipes. */
static void make_pipes(struct line *ret_asking, struct line *ret_asked)
{
	int there[2];
	int back[2];

	check(pipe(there), "pipe");
	check(pipe(back), "pipe");
	*ret_asking = (struct line){ back[0], there[1] };
	*ret_asked = (struct line){ there[0], back[1] };
}

static void close_line(const struct line *line)
{
	close(line->in);
	if (line->out != line->in) {
		close(line->out);
	}
}

static void chain_of_pipes(void)
{
	struct line client;
	struct line page;
	struct line asking;
	struct line row;

	make_pipes(&client, &page);
	make_pipes(&asking, &row);
	if (begin("rows") == 0) {
		close_line(&client);
		close_line(&page);
		close_line(&asking);
		serve_rows(&row);
		exit(0);
	}
	close_line(&row);
	if (begin("pages") == 0) {
		close_line(&client);
		serve_pages(&page, &asking);
		exit(0);
	}
	close_line(&page);
	close_line(&asking);
	ask_all(&client);
	close_line(&client);
}

static void chain_of_sockets(void)
{
	struct sockaddr_in page_address;
	struct sockaddr_in row_address;
	int pages = listen_anywhere(&page_address);
	int rows = listen_anywhere(&row_address);
	struct line client;

	if (begin("rows") == 0) {
		struct line asking = accept_from(rows);

		serve_rows(&asking);
		exit(0);
	}
	if (begin("pages") == 0) {
		struct line asking = accept_from(pages);
		struct line asked = connect_to(&row_address);

		serve_pages(&asking, &asked);
		exit(0);
	}
	client = connect_to(&page_address);
	ask_all(&client);
	close_line(&client);
}

int main(int argc, char **argv)
{
	prctl(PR_SET_NAME, "client");
	if (argc > 1 && strcmp(argv[1], "pipes") == 0) {
		chain_of_pipes();
	} else {
		chain_of_sockets();
	}
	fflush(stdout);
	while (wait(NULL) > 0) {
	}
	return 0;
}
