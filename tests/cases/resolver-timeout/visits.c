/* SPDX-License-Identifier: MIT */
/*
 * visits LOG…: counts the requests of logs, and says where the site is that a log is named after.
 */

#include <arpa/inet.h>
#include <netdb.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
	PAGES = 1 << 17
};

__attribute__((noinline)) static void count_pages(const char *path, size_t *requests, size_t *pages)
{
	static unsigned char seen[PAGES];
	char line[256];
	FILE *log = fopen(path, "r");

	if (log == NULL) {
		perror(path);
		exit(1);
	}
	memset(seen, 0, sizeof seen);
	while (fgets(line, sizeof line, log) != NULL) {
		char client[64];
		unsigned page;
		if (sscanf(line, "%63s GET /page/%u", client, &page) != 2)
			continue;
		unsigned char *entry = &seen[page % PAGES];
		*pages += *entry == 0;
		*entry = 1;
		++*requests;
	}
	fclose(log);
}

__attribute__((noinline)) static void look_up(const char *site, char *address)
{
	const struct addrinfo hints = { .ai_family = AF_INET, .ai_socktype = SOCK_STREAM };
	struct addrinfo *found;
	const int error = getaddrinfo(site, "80", &hints, &found);

	if (error != 0) {
		fprintf(stderr, "%s: %s\n", site, gai_strerror(error));
		exit(1);
	}
	inet_ntop(AF_INET, &((struct sockaddr_in *)found->ai_addr)->sin_addr, address,
		  INET_ADDRSTRLEN);
	freeaddrinfo(found);
}

int main(int argc, char **argv)
{
	for (int i = 1; i < argc; i++) {
		const char *slash = strrchr(argv[i], '/');
		const char *site = slash ? slash + 1 : argv[i];
		char address[INET_ADDRSTRLEN];
		size_t requests = 0, pages = 0;

		count_pages(argv[i], &requests, &pages);
		look_up(site, address);
		printf("%s (%s): %zu requests of %zu pages\n", site, address, requests, pages);
	}
}
