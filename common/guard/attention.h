/* SPDX-License-Identifier: MIT */
/*
 * Part of the time in which a program can be watched at a given cost.
 *
 * Watching makes each system call slower, and a busy server makes a hundred thousand a second. Such
 * a program is watched in windows, and left alone in between until each window is paid for.
 */
#ifndef ITP_GUARD_ATTENTION_H
#define ITP_GUARD_ATTENTION_H

#include <stdbool.h>
#include <stdint.h>

/* Prices of watching on this machine, in nanoseconds of CPU time. */
struct itp_guard_prices {
	/* Any system call of anybody, at its begin and end. */
	double call_ns;
	/* A looked-at system call: of a guarded thread, and of interest. */
	double hit_ns;
};

/* Events while a program was watched. */
struct itp_guard_span {
	int64_t length_ns;
	/* System calls made meanwhile, and looks at them. */
	uint64_t calls;
	uint64_t hits;
	/* CPU time of the guard itself, since the span before. */
	double own_ns;
};

/* CPU time that the span has cost, in nanoseconds. */
double itp_guard_span_cost_ns(const struct itp_guard_span *span,
			      const struct itp_guard_prices *prices);

/* Rest after the span, in nanoseconds, in which the program is left alone: the cost of both is then
 * `budget` of the CPU time of `cpus` CPUs (at least one is counted). 0 when watching may go on. */
int64_t itp_guard_rest_ns(const struct itp_guard_span *span, const struct itp_guard_prices *prices,
			  double budget, double cpus);

/* Average time, in seconds from any moment on, until a unit of a rare kind is seen. Such units come
 * by chance, one in `every_s` seconds on average, and `part` of the time is watched; seen ones come
 * by chance, too, one in `every_s / part`. Example: one a minute, 3 % of the time watched: 2000 s.
 * Infinite when nothing is watched. */
double itp_guard_unseen_s(double every_s, double part);

/* Factor of that average not exceeded in nineteen of twenty cases: -ln(1/20), by the exponential
 * distribution of waits for chance events. */
#define ITP_GUARD_UNSEEN_MOST 2.9957

/* Pause between two looks at all threads, in nanoseconds; a look takes `look_ns` of CPU time. */
int64_t itp_guard_pause_ns(double look_ns, double budget);

#endif
