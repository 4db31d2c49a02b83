/* SPDX-License-Identifier: MIT */
/* priced PORT FILE once|always: answers with the price of an article, whose name is the path, from
 * a list that it reads when it begins, or for each question. Ends with a signal. */
#include <microhttpd.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define ARTICLES 10000
#define NAME 20

struct price {
	char name[NAME];
	int cents;
};

static struct price prices[ARTICLES];
static size_t price_count;
static const char *path;
static bool reads_always;

static int compare(const void *a, const void *b)
{
	return strcmp(((const struct price *)a)->name, ((const struct price *)b)->name);
}

static void __attribute__((noinline)) load_prices(void)
{
	FILE *file = fopen(path, "r");
	char line[100];

	price_count = 0;
	while (file && price_count < ARTICLES && fgets(line, sizeof(line), file)) {
		struct price *price = &prices[price_count++];
		char *end = strchr(line, ' ');

		snprintf(price->name, NAME, "%.*s", (int)(end - line), line);
		price->cents = atoi(end);
	}
	if (file) {
		fclose(file);
	}
	qsort(prices, price_count, sizeof(*prices), compare);
}

static int __attribute__((noinline)) price_of(const char *name)
{
	struct price key;
	const struct price *found;

	snprintf(key.name, NAME, "%s", name);
	found = bsearch(&key, prices, price_count, sizeof(*prices), compare);
	return found ? found->cents : -1;
}

static enum MHD_Result answer(void *data, struct MHD_Connection *connection, const char *url,
			      const char *method, const char *version, const char *upload,
			      size_t *upload_size, void **state)
{
	struct MHD_Response *response;
	enum MHD_Result result;
	char text[20];

	(void)data;
	(void)method;
	(void)version;
	(void)upload;
	(void)upload_size;
	(void)state;
	if (reads_always) {
		load_prices();
	}
	snprintf(text, sizeof(text), "%d", price_of(url + 1));
	response = MHD_create_response_from_buffer(strlen(text), text, MHD_RESPMEM_MUST_COPY);
	result = MHD_queue_response(connection, MHD_HTTP_OK, response);
	MHD_destroy_response(response);
	return result;
}

int main(int argc, char **argv)
{
	struct MHD_Daemon *service;
	sigset_t ends;
	int signal_number;

	if (argc < 4) {
		return 2;
	}
	path = argv[2];
	reads_always = strcmp(argv[3], "always") == 0;
	load_prices();
	sigemptyset(&ends);
	sigaddset(&ends, SIGTERM);
	sigprocmask(SIG_BLOCK, &ends, NULL);
	service = MHD_start_daemon(MHD_USE_INTERNAL_POLLING_THREAD, (uint16_t)atoi(argv[1]), NULL,
				   NULL, answer, NULL, MHD_OPTION_END);
	if (!service) {
		return 1;
	}
	sigwait(&ends, &signal_number);
	MHD_stop_daemon(service);
	return 0;
}
