/* SPDX-License-Identifier: MIT */
/*
 * A program whose hot lines are known, as a test that annotates it reads them here: HOT, BELOW and
 * NAP mark them.
 */
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

static volatile unsigned long sink;

__attribute__((noinline)) static void below(long rounds)
{
	for (long i = 0; i < rounds; i++) {
		sink = sink + 1;
	}
}

static inline void mix(unsigned long number)
{
	sink = (number ^ (number >> 29)) / (sink | 3); /* INLINED */
}

namespace shop
{
__attribute__((noinline)) void serve(long rounds)
{
	const struct timespec nap = { 0, 5000000 };

	for (long i = 0; i < rounds; i++) {
		sink = sink / 7 + (unsigned long)i; /* HOT */
	}

	/* Nothing
	 * is
	 * done
	 * here. */

	for (long i = 0; i < rounds / 2; i++) {
		mix((unsigned long)i);
	}
	below(3 * rounds);     /* BELOW */
	nanosleep(&nap, NULL); /* NAP */
}
} // namespace shop

int main(int argc, char **argv)
{
	for (int i = 0; i < (argc > 1 ? atoi(argv[1]) : 60); i++) {
		shop::serve(500000);
	}
	return 0;
}
