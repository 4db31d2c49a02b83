/* SPDX-License-Identifier: MIT */
/*
 * How much of the time a program can be watched for a given cost. To watch system calls makes each
 * of them slower, and a busy server makes a hundred thousand a second: then it is watched in
 * windows, and left alone in between for as long as pays for the window.
 */
#ifndef ITP_GUARD_ATTENTION_H
#define ITP_GUARD_ATTENTION_H

#include <stdbool.h>
#include <stdint.h>

/* What watching costs here, in nanoseconds of CPU time. */
struct itp_guard_prices {
	/* Any system call of anybody, at its begin and end. */
	double call_ns;
	/* One of these that is looked at, as it is of a guarded thread. */
	double hit_ns;
};

/* What happened while a program was watched. */
struct itp_guard_span {
	int64_t length_ns;
	/* System calls that were made meanwhile, and how often one was looked at. */
	uint64_t calls;
	uint64_t hits;
	/* CPU time of the guard itself, since the span before. */
	double own_ns;
};

/* CPU time that this has cost, in nanoseconds. */
double itp_guard_span_cost_ns(const struct itp_guard_span *span,
			      const struct itp_guard_prices *prices);

/* How long the program is to be left alone after the span, so that the cost of both is `budget` of
 * the CPU time that `cpus` CPUs have; less than one counts as one. 0 where it may be watched on. */
int64_t itp_guard_rest_ns(const struct itp_guard_span *span, const struct itp_guard_prices *prices,
			  double budget, double cpus);

/* A unit of a rare kind comes once in `every_s` seconds on average, by chance, and `part` of the
 * time is watched: how long it takes on average until one is seen, from any moment on. Those that
 * are seen come by chance, too, once in `every_s / part`. Example: of what comes once a minute, and
 * 3 % of the time watched, one is seen after 2000 s. Infinite where nothing is watched. */
double itp_guard_unseen_s(double every_s, double part);

/* In nineteen of twenty cases it takes at most so many times that average: by the exponential
 * distribution, which waits for chance events have, -ln(1/20). */
#define ITP_GUARD_UNSEEN_MOST 2.9957

/* How long to wait between two looks at all threads that take `look_ns` of CPU time each. */
int64_t itp_guard_pause_ns(double look_ns, double budget);

#endif
