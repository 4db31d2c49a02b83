/* SPDX-License-Identifier: MIT */
/*
 * backend SOCKET PRICES file|now: answers FastCGI requests for the price of an article. The list is
 * read again when its file has changed, which is told by the time that was remembered: the file's,
 * or that of reading it.
 */

#include <fcgiapp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>

struct price {
	char *article;
	double amount;
};

static struct price *prices;
static size_t count;
static time_t changed;

static int compare(const void *a, const void *b)
{
	return strcmp(((const struct price *)a)->article, ((const struct price *)b)->article);
}

__attribute__((noinline)) static void refresh_prices(const char *name, int remember_now)
{
	static char buffer[65536];
	struct stat status;
	char *line = NULL;
	size_t size = 0;
	FILE *file;

	if (stat(name, &status) != 0 || status.st_mtime == changed)
		return;
	file = fopen(name, "r");
	if (!file)
		return;
	setvbuf(file, buffer, _IOFBF, sizeof(buffer));
	while (count > 0)
		free(prices[--count].article);
	while (getline(&line, &size, file) > 0) {
		char *amount = strchr(line, ';');

		if (!amount)
			continue;
		*amount++ = '\0';
		prices = realloc(prices, (count + 1) * sizeof(*prices));
		prices[count++] = (struct price){ strdup(line), strtod(amount, NULL) };
	}
	free(line);
	fclose(file);
	qsort(prices, count, sizeof(*prices), compare);
	changed = remember_now ? time(NULL) : status.st_mtime;
}

int main(int argc, char **argv)
{
	FCGX_Request request;

	if (argc != 4 || FCGX_Init() != 0)
		return 2;
	FCGX_InitRequest(&request, FCGX_OpenSocket(argv[1], 16), 0);
	while (FCGX_Accept_r(&request) == 0) {
		struct price wanted = { FCGX_GetParam("QUERY_STRING", request.envp), 0 };
		const struct price *found;

		refresh_prices(argv[2], strcmp(argv[3], "now") == 0);
		found = bsearch(&wanted, prices, count, sizeof(*prices), compare);
		FCGX_FPrintF(request.out, "Content-Type: text/plain\r\n\r\n%.2f\n",
			     found ? found->amount : 0.0);
	}
	return 0;
}
