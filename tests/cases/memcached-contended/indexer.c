/* SPDX-License-Identifier: MIT */
/*
 * indexer: counts the words of a text in a table of hashes, until the process that started it has
 * ended.
 */

#include <stdint.h>
#include <stdio.h>
#include <unistd.h>

static uint32_t words[1 << 12];

static void index_text(unsigned number)
{
	char word[16];

	for (unsigned i = 0; i < 1000; i++) {
		uint32_t hash = 2166136261u;

		snprintf(word, sizeof word, "%x", number * i);
		for (const char *c = word; *c; c++)
			hash = (hash ^ (unsigned char)*c) * 16777619u;
		words[hash % (1 << 12)]++;
	}
}

int main(void)
{
	const pid_t parent = getppid();

	for (unsigned i = 0; getppid() == parent; i++)
		index_text(i);
	return words[0] == 0;
}
