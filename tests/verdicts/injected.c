/* SPDX-License-Identifier: MIT */
/*
 * A program of which one function can be made slower by a known part: four functions take the same
 * CPU time, and scale() as many percent more as the argument says. All read a little in between, as
 * programs do.
 */
#include <fcntl.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#define ROUNDS 400
/* Of a loop's body, in each call. */
#define STEPS 400000

static volatile uint64_t sink;

static void work(uint64_t steps, uint64_t factor)
{
	uint64_t sum = sink;

	for (uint64_t i = 0; i < steps; i++) {
		sum = sum * factor + i;
	}
	sink = sum;
}

__attribute__((noinline)) static void load(int file)
{
	char bytes[4096];

	if (pread(file, bytes, sizeof(bytes), 0) != sizeof(bytes)) {
		exit(EXIT_FAILURE);
	}
	work(STEPS, 3);
}

__attribute__((noinline)) static void check(void)
{
	work(STEPS, 5);
	sink += (uint64_t)getppid();
}

__attribute__((noinline)) static void scale(uint64_t percent)
{
	work(STEPS * (100 + percent) / 100, 7);
	sink += (uint64_t)getppid();
}

__attribute__((noinline)) static void store(void)
{
	work(STEPS, 9);
	sink += (uint64_t)getppid();
}

int main(int argc, char **argv)
{
	uint64_t percent = argc > 1 ? strtoull(argv[1], NULL, 10) : 0;
	int file = open("/dev/zero", O_RDONLY);

	for (int i = 0; i < ROUNDS; i++) {
		load(file);
		check();
		scale(percent);
		store();
	}
	return EXIT_SUCCESS;
}
