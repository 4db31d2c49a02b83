/* SPDX-License-Identifier: MIT */
/*
 * A fixed computation, whose time tells how fast the machine is. Programs in the kernel and user
 * space make it by the same text; when, and how often, is left to them.
 *
 * Independent chains, which a core alone works on at once, need units that a neighbour on the same
 * core takes as well. A single chain takes as long with a neighbour as without one.
 */
#ifndef ITP_PERF_RECORD_COMPUTATION_H
#define ITP_PERF_RECORD_COMPUTATION_H

#include <stdint.h>

/* Steps of a computation: 2 to 4 microseconds. */
#define ITP_COMPUTATION_STEPS 1000

/* Result of no use but as the next seed. */
static inline __attribute__((always_inline)) uint64_t itp_compute(uint64_t seed)
{
	uint64_t a = seed;
	uint64_t b = 1;
	uint64_t c = 2;
	uint64_t d = 3;

	for (uint64_t i = 0; i < ITP_COMPUTATION_STEPS; i++) {
		a = (a ^ i) + (a << 3);
		b = (b + i) ^ (b >> 2);
		c = (c ^ i) - (c >> 5);
		d = (d - i) ^ (d << 1);
		/* Keeps compilers from making fewer steps of it. */
		__asm__ volatile("" : "+r"(a), "+r"(b), "+r"(c), "+r"(d));
	}
	return a ^ b ^ c ^ d;
}

#endif
