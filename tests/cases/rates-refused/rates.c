/* SPDX-License-Identifier: MIT */
/* Fetches the rates of currencies from a server, and tells which of them change most. */
#include <arpa/inet.h>
#include <math.h>
#include <netinet/tcp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

#define NOINLINE __attribute__((noinline))
#define DAYS 190
#define ATTEMPTS 8

struct history {
	int days;
	double rate[DAYS];
};

static long retries;

static NOINLINE FILE *connect_server(int port)
{
	struct sockaddr_in address = { .sin_family = AF_INET, .sin_port = htons(port) };
	int server = socket(AF_INET, SOCK_STREAM, 0), yes = 1;

	address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
	if (server < 0 || connect(server, (struct sockaddr *)&address, sizeof address))
		return NULL;
	setsockopt(server, IPPROTO_TCP, TCP_NODELAY, &yes, sizeof yes);
	return fdopen(server, "r");
}

static NOINLINE int send_request(FILE *server, int currency)
{
	char request[40];
	int length = snprintf(request, sizeof request, "rates %d\n", currency);

	return write(fileno(server), request, length) == length;
}

static NOINLINE int read_answer(FILE *server, char *answer, int room)
{
	return fgets(answer, room, server) != NULL;
}

/* 10 ms, 20 ms, 40 ms and so on. */
static NOINLINE void wait_before_retry(int attempt)
{
	long milliseconds = 10L << attempt;
	struct timespec pause = { milliseconds / 1000, milliseconds % 1000 * 1000000 };

	while (nanosleep(&pause, &pause))
		;
	retries++;
}

/* The answer, which may be refused at first; 0 where there is none at all. */
static NOINLINE int fetch_rates(FILE *server, int currency, char *answer, int room)
{
	for (int attempt = 0; attempt < ATTEMPTS; attempt++) {
		if (!send_request(server, currency) || !read_answer(server, answer, room))
			return 0;
		if (!strncmp(answer, "ok ", 3))
			return 1;
		wait_before_retry(attempt);
	}
	return 0;
}

static NOINLINE void parse_rates(const char *answer, struct history *history)
{
	char *rest;

	history->days = 0;
	for (answer += 3; history->days < DAYS; answer = rest) {
		double rate = strtod(answer, &rest);

		if (rest == answer)
			break;
		history->rate[history->days++] = rate;
	}
}

/* How much the rate goes up and down, over all stretches of days. */
static NOINLINE double volatility(const struct history *history)
{
	double most = 0;

	for (int length = 2; length <= history->days; length++) {
		double sum = 0;

		for (int day = 0; day + length <= history->days; day++)
			sum += fabs(log(history->rate[day + length - 1] / history->rate[day]));
		sum /= history->days - length + 1;
		if (sum > most)
			most = sum;
	}
	return most;
}

int main(int argc, char **argv)
{
	int wanted = argc == 3 ? atoi(argv[2]) : 0, changing = -1, currency;
	FILE *server = argc == 3 ? connect_server(atoi(argv[1])) : NULL;
	struct history history;
	char answer[2000];
	double most = 0;

	if (!server) {
		fprintf(stderr, "use: rates PORT COUNT\n");
		return 1;
	}
	for (currency = 0; currency < wanted; currency++) {
		double change;

		if (!fetch_rates(server, currency, answer, sizeof answer))
			break;
		parse_rates(answer, &history);
		change = volatility(&history);
		if (change > most) {
			most = change;
			changing = currency;
		}
	}
	printf("%d rates, currency %d changes most (%.4f), %ld retries\n", currency, changing, most,
	       retries);
	return currency < wanted;
}
