/* SPDX-License-Identifier: MIT */
/*
 * How fast the machine is where a recorded thread runs: time of a fixed computation at a tick of
 * the timer, some forty times a second on each CPU with such a thread.
 */
#ifndef ITP_PERF_RECORD_SPEED_H
#define ITP_PERF_RECORD_SPEED_H

#include "plugins/perf/record/computation.h"
#include "plugins/perf/record/record-state.h"

/* Time between two measurements on a CPU; and how often each is made: the first time finds cold
 * caches. */
#define SPEED_DISTANCE_NS 25000000
#define SPEED_REPEATS 3

/* Time of the computation at `time_ns`; 0 when the CPU's latest one is not long ago. */
static __always_inline __u32 measure_speed(struct room *room, __u64 time_ns)
{
	__u32 fastest_ns = (__u32)-1;

	if (time_ns - room->measured_ns < SPEED_DISTANCE_NS) {
		return 0;
	}
	room->measured_ns = time_ns;
	for (int i = 0; i < SPEED_REPEATS; i++) {
		const __u64 begin_ns = bpf_ktime_get_ns();
		__u32 computed_ns;

		room->computed = itp_compute(room->computed);
		computed_ns = (__u32)(bpf_ktime_get_ns() - begin_ns);
		fastest_ns = computed_ns < fastest_ns ? computed_ns : fastest_ns;
	}
	return fastest_ns;
}

#endif
