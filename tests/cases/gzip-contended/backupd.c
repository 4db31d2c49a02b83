/* SPDX-License-Identifier: MIT */
/*
 * backupd FILE: looks for blocks of the file that have changed, again and again, by a sum of each,
 * until the process that started it has ended.
 */

#include <stdint.h>
#include <stdio.h>
#include <unistd.h>

static uint32_t sum(const unsigned char *block, size_t size)
{
	uint32_t a = 1, b = 0;

	for (size_t i = 0; i < size; i++) {
		a = (a + block[i]) % 65521;
		b = (b + a) % 65521;
	}
	return b << 16 | a;
}

int main(int argc, char **argv)
{
	static unsigned char block[1 << 16];
	static uint32_t sums[1 << 16];
	const pid_t parent = getppid();
	unsigned changed = 0;

	while (argc == 2 && getppid() == parent) {
		FILE *file = fopen(argv[1], "r");
		size_t size;

		if (!file)
			return 1;
		for (unsigned i = 0; (size = fread(block, 1, sizeof block, file)) > 0; i++) {
			const uint32_t now = sum(block, size);

			changed += sums[i % (1 << 16)] != now;
			sums[i % (1 << 16)] = now;
		}
		fclose(file);
	}
	return changed > 0;
}
