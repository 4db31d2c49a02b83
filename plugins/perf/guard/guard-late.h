/* SPDX-License-Identifier: MIT */
/*
 * For guard.bpf.c: lateness of a unit, and snapshots of late units.
 */
#ifndef ITP_PERF_GUARD_GUARD_LATE_H
#define ITP_PERF_GUARD_GUARD_LATE_H

#include "plugins/perf/guard/guard-units.h"

/* True when the unit exceeds the smallest limit of the types that it may have, and has taken a
 * quarter longer than at its last snapshot. */
static __always_inline bool is_to_be_shown(struct thread *thread, const struct task_struct *task,
					   int whose, __u64 now_ns)
{
	const struct itp_guard_loop_shapes *shapes = bpf_map_lookup_elem(&loops, &thread->loop);
	const __u64 length_ns = taken_ns(thread, task, now_ns);

	if (!shapes || length_ns < thread->shown_ns + thread->shown_ns / 4 ||
	    (__s64)length_ns <= itp_guard_smallest_limit_ns(choose(thread, whose, shapes))) {
		return false;
	}
	thread->shown_ns = length_ns;
	return true;
}

static __always_inline void copy_kernel_stack(struct itp_guard_snapshot *snapshot,
					      struct task_struct *task)
{
	const long bytes = bpf_get_task_stack(task, snapshot->kernel, sizeof(snapshot->kernel), 0);

	snapshot->kernel_count = bytes > 0 ? bytes / sizeof(snapshot->kernel[0]) : 0;
}

/* A snapshot of the current thread, in or after system call `call`; -1 for none. */
static __always_inline void show_current(__u32 kind, __s32 call, const struct thread *thread,
					 struct task_struct *task, const struct pt_regs *registers,
					 __u64 now_ns)
{
	struct itp_guard_snapshot *snapshot = begin_snapshot();

	if (!snapshot) {
		return;
	}
	fill_record(&snapshot->record, kind, task);
	fill_moment(&snapshot->record.moment, thread, task, now_ns);
	snapshot->record.call = call;
	copy_registers(snapshot->registers, registers);
	snapshot->kernel_count = 0;
	snapshot->stack_bytes =
		copy_stack(snapshot->stack, ITP_GUARD_STACK_BYTES, registers->sp, NULL);
	bpf_ringbuf_submit(snapshot, 0);
}

#endif
