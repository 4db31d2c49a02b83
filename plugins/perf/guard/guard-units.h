/* SPDX-License-Identifier: MIT */
/*
 * For guard.bpf.c: types of units, and the end of units.
 */
#ifndef ITP_PERF_GUARD_GUARD_UNITS_H
#define ITP_PERF_GUARD_GUARD_UNITS_H

#include "plugins/perf/guard/guard-state.h"

struct considering {
	const struct itp_guard_loop_shapes *shapes;
	struct itp_guard_choice *choice;
};

static long consider(__u32 number, struct considering *considering)
{
	const struct itp_guard_loop_shapes *shapes = considering->shapes;

	if (number >= ITP_GUARD_MOST) {
		return 1;
	}
	itp_guard_consider(considering->choice, &shapes->types[number], number);
	return 0;
}

static __always_inline const struct itp_guard_choice *choose(
	struct thread *thread, int whose, const struct itp_guard_loop_shapes *shapes)
{
	struct considering considering = { shapes, &thread->choices[whose] };

	itp_guard_choice_init(considering.choice, thread->seen);
	bpf_loop(shapes->type_count, consider, &considering, 0);
	return &thread->choices[whose];
}

static __always_inline __u32 type_of(struct thread *thread,
				     const struct itp_guard_loop_shapes *shapes)
{
	if (thread->known_loop != thread->loop + 1 || thread->known_seen != thread->seen) {
		const struct itp_guard_choice *choice = choose(thread, OF_CALLS, shapes);

		thread->known_type = choice->type;
		thread->is_of_a_type = itp_guard_is_of_a_type(choice);
		thread->known_seen = thread->seen;
		thread->known_loop = thread->loop + 1;
	}
	return thread->known_type & (ITP_GUARD_MOST - 1);
}

static __always_inline void tell_end(const struct thread *thread, struct task_struct *task,
				     __u32 type, __u64 now_ns)
{
	struct itp_guard_record *record = bpf_ringbuf_reserve(&records, sizeof(*record), 0);
	struct itp_guard_totals *sums = all_totals();

	if (record) {
		fill_record(record, ITP_GUARD_ENDED, task);
		fill_moment(&record->moment, thread, task, now_ns);
		record->moment.type = type;
		bpf_ringbuf_submit(record, 0);
	} else if (sums) {
		sums->lost++;
	}
}

/* Ends a unit of unknown length or type: not counted, and late if beyond the limits of all
 * types. */
static __always_inline void end_part(struct thread *thread, struct task_struct *task,
				     const struct itp_guard_loop_shapes *shapes, __u64 now_ns)
{
	const struct itp_guard_choice *choice = choose(thread, OF_CALLS, shapes);

	if ((__s64)taken_ns(thread, task, now_ns) > itp_guard_largest_limit_ns(choice)) {
		tell_end(thread, task, choice->type & (ITP_GUARD_MOST - 1), now_ns);
	}
}

static __always_inline void count_unjudged(void)
{
	struct itp_guard_totals *sums = all_totals();

	if (sums) {
		sums->learning++;
	}
}

static __always_inline void end_unit(struct thread *thread, struct task_struct *task)
{
	const __u64 now_ns = bpf_ktime_get_ns();
	const __u64 length_ns = taken_ns(thread, task, now_ns);
	const struct itp_guard_loop_shapes *shapes = bpf_map_lookup_elem(&loops, &thread->loop);
	struct itp_guard_counts *sums;
	__u32 number;
	__u32 type;

	if (!shapes) {
		return;
	}
	if (thread->is_partial) {
		end_part(thread, task, shapes, now_ns);
		return;
	}
	if (thread->is_unsure) {
		count_unjudged();
		return;
	}
	type = type_of(thread, shapes);
	if (!thread->is_of_a_type) {
		count_unjudged();
		end_part(thread, task, shapes, now_ns);
		return;
	}
	number = shapes->first_type + type;
	sums = bpf_map_lookup_elem(&counts, &number);
	if (!sums) {
		return;
	}
	sums->units++;
	sums->total_ns += length_ns;
	sums->cpu_wait_ns += cpu_wait_ns(thread, task);
	sums->max_ns = length_ns > sums->max_ns ? length_ns : sums->max_ns;
	sums->buckets[itp_guard_bucket(length_ns)]++;
	if ((__s64)length_ns > shapes->types[type].limit_ns) {
		sums->late++;
		tell_end(thread, task, type, now_ns);
	}
}

#endif
