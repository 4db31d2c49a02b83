/* SPDX-License-Identifier: MIT */
/*
 * How fast the machine is where a recorded thread runs: time of a fixed computation at a tick of
 * the timer, some forty times a second on each CPU with such a thread.
 *
 * A neighbour on the same core takes units that the thread could use, and no clock. So the
 * computation is several independent chains, which a core alone works on at once; a single chain
 * takes as long with a neighbour as without one.
 */
#ifndef ITP_PERF_RECORD_SPEED_H
#define ITP_PERF_RECORD_SPEED_H

#include "plugins/perf/record/record-state.h"

/* Time between two measurements on a CPU. */
#define SPEED_DISTANCE_NS 25000000
/* Steps of the computation, which take 2 to 4 microseconds; and how often it is made: the first
 * time finds cold caches. */
#define SPEED_STEPS 1000
#define SPEED_REPEATS 3

static __always_inline __u32 compute(__u64 seed)
{
	const __u64 begin_ns = bpf_ktime_get_ns();
	__u64 a = seed;
	__u64 b = 1;
	__u64 c = 2;
	__u64 d = 3;

	for (__u64 i = 0; i < SPEED_STEPS; i++) {
		a = (a ^ i) + (a << 3);
		b = (b + i) ^ (b >> 2);
		c = (c ^ i) - (c >> 5);
		d = (d - i) ^ (d << 1);
		/* Keeps compilers from making fewer steps of it. */
		asm volatile("" : "+r"(a), "+r"(b), "+r"(c), "+r"(d));
	}
	return (__u32)(bpf_ktime_get_ns() - begin_ns);
}

/* Time of the computation at `time_ns`; 0 when the CPU's latest one is not long ago. */
static __always_inline __u32 measure_speed(struct room *room, __u64 time_ns)
{
	__u32 fastest_ns = (__u32)-1;

	if (time_ns - room->measured_ns < SPEED_DISTANCE_NS) {
		return 0;
	}
	room->measured_ns = time_ns;
	for (int i = 0; i < SPEED_REPEATS; i++) {
		const __u32 computed_ns = compute(time_ns);

		fastest_ns = computed_ns < fastest_ns ? computed_ns : fastest_ns;
	}
	return fastest_ns;
}

#endif
