/* SPDX-License-Identifier: MIT */
/*
 * messages COUNT: puts so many messages together from their parts, each in a buffer of its own, and
 * prints a checksum of them all.
 */

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
	PARTS = 100,
	PART_SIZE = 6000
};

static uint64_t checksum(const char *text, size_t size)
{
	uint64_t sum = 1, sums = 0;
	for (size_t i = 0; i < size; i++) {
		sum += (unsigned char)text[i];
		sums += sum;
	}
	return sums << 32 | (uint32_t)sum;
}

__attribute__((noinline)) static uint64_t put_together(const char *part)
{
	char *message = malloc(PARTS * PART_SIZE);
	if (message == NULL)
		abort();
	for (int i = 0; i < PARTS; i++)
		memcpy(message + i * PART_SIZE, part, PART_SIZE);
	const uint64_t sum = checksum(message, PARTS * PART_SIZE);
	free(message);
	return sum;
}

int main(int argc, char **argv)
{
	char part[PART_SIZE];
	uint64_t sum = 0;

	const long count = argc > 1 ? strtol(argv[1], NULL, 10) : 1;
	for (long i = 0; i < count; i++) {
		memset(part, 'a' + i % 26, sizeof part);
		sum += put_together(part);
	}
	printf("%ld messages: %llu\n", count, (unsigned long long)sum);
}
