/* SPDX-License-Identifier: MIT */
/*
 * Threads that wait, for record.bpf.c: as a recording begins, each is told with its stack, as it
 * may wait to the end and never be heard of; and as it ends, each once more, so that readers know
 * until when it has waited. User space reads look_around() for either.
 *
 * Running threads are left to the timer, and those just leaving a CPU to on_switch().
 */
#ifndef ITP_PERF_RECORD_RECORD_WAITING_H
#define ITP_PERF_RECORD_RECORD_WAITING_H

#include "plugins/perf/record/record-threads.h"

/* Lane of these stacks' numbers: the last, one of copies, of no CPU's room. */
#define WAITING_LANE ((1 << ITP_RECORD_LANE_BITS) - 1)

/* Changes as soon as the thread has gone on. */
static __always_inline __u64 switches_of(const struct task_struct *task)
{
	return task->nvcsw + task->nivcsw;
}

static __always_inline void fill_wait(struct waiting *waiting, struct task_struct *task, __u32 kind,
				      __u64 time_ns)
{
	const struct pt_regs *registers = (const struct pt_regs *)bpf_task_pt_regs(task);
	struct itp_record_event *event = &waiting->event;

	__builtin_memset(event, 0, offsetof(struct itp_record_event, kernel));
	fill_head(&event->head, kind, task, time_ns, 0);
	event->priority = task->prio;
	BPF_CORE_READ_STR_INTO(&event->comm, task, comm);
	event->state = task->__state;
	event->call = (__s64)registers->orig_ax;
}

static __always_inline void fill_stack(struct waiting *waiting, struct task_struct *task,
				       __u64 time_ns)
{
	const struct pt_regs *registers = (const struct pt_regs *)bpf_task_pt_regs(task);
	struct itp_record_copy *copy = &waiting->copy;
	struct itp_record_event *event = &waiting->event;
	long bytes;

	waiting->stacks++;
	event->head.stack = waiting->stacks << ITP_RECORD_LANE_BITS | WAITING_LANE;
	fill_head(&copy->head, ITP_RECORD_COPY, task, time_ns, event->head.stack);
	copy->reason = ITP_RECORD_ROOT;
	copy_registers(copy->registers, registers);
	copy->stack_bytes = copy_stack(copy->stack, ITP_RECORD_COPY_BYTES, registers->sp, task);
	bytes = bpf_get_task_stack(task, event->kernel, sizeof(event->kernel), 0);
	event->kernel_count = bytes > 0 ? bytes / sizeof(event->kernel[0]) : 0;
}

static __always_inline void output(void *ring, void *record, __u64 bytes)
{
	if (bpf_ringbuf_output(ring, record, bytes, BPF_RB_NO_WAKEUP) != 0) {
		note_lost();
	}
}

static __always_inline void tell_stack(struct waiting *waiting)
{
	const __u32 bytes = waiting->copy.stack_bytes;

	if (bytes <= ITP_RECORD_COPY_BYTES) {
		output(&copy_records, &waiting->copy,
		       offsetof(struct itp_record_copy, stack) + bytes);
	}
}

static __always_inline void tell_wait(struct waiting *waiting)
{
	const __u32 count = waiting->event.kernel_count;

	if (count <= ITP_RECORD_KERNEL_FRAMES) {
		output(&records, &waiting->event,
		       offsetof(struct itp_record_event, kernel) + count * 8);
	}
}

SEC("iter.s/task")
int look_around(struct bpf_iter__task *context)
{
	struct task_struct *task = context->task;
	const __u64 time_ns = bpf_ktime_get_ns();
	struct waiting *waiting;
	const __u32 zero = 0;
	__u64 switches;
	__u32 *execs;

	if (!task || !is_recorded(task->tgid, &execs) || !task->mm || task->__state == 0) {
		return 0;
	}
	waiting = bpf_map_lookup_elem(&waiting_threads, &zero);
	if (!waiting) {
		return 0;
	}
	switches = switches_of(task);
	fill_wait(waiting, task, is_ending ? ITP_RECORD_STILL_WAITS : ITP_RECORD_WAITS, time_ns);
	if (!is_ending) {
		fill_stack(waiting, task, time_ns);
	}
	if (task->__state == 0 || switches_of(task) != switches) {
		return 0;
	}
	if (!is_ending) {
		tell_stack(waiting);
	}
	tell_wait(waiting);
	return 0;
}

#endif
