/* SPDX-License-Identifier: MIT */
/*
 * Recorded threads, for record.bpf.c: which they are, and the head of a thread's record.
 */
#ifndef ITP_PERF_RECORD_RECORD_THREADS_H
#define ITP_PERF_RECORD_RECORD_THREADS_H

#include "plugins/perf/record/record-state.h"

static __always_inline bool is_recorded(__u32 pid, __u32 **execs)
{
	*execs = bpf_map_lookup_elem(&processes, &pid);
	if (*execs) {
		return **execs > 0 || pid != waiting_pid;
	}
	return is_machine && pid != recorder_pid && pid != reader_pid;
}

/* State of a thread; NULL for a thread not recorded. */
static __always_inline struct thread *thread_of(struct task_struct *task)
{
	struct thread *thread = bpf_task_storage_get(&threads, task, NULL, 0);
	const __u32 pid = task->tgid;
	__u32 *execs;

	if (thread) {
		return thread;
	}
	if (!is_recorded(pid, &execs) || !task->mm) {
		return NULL;
	}
	return bpf_task_storage_get(&threads, task, NULL, BPF_LOCAL_STORAGE_GET_F_CREATE);
}

/* Image of the process; none right after an exec, while user space knows only the program before.
 */
static __always_inline __u32 image_of(struct thread *thread, __u32 pid)
{
	const __u64 now = version;
	const struct itp_record_of_process *space;
	__u32 *execs;

	if (thread->version != now) {
		space = bpf_map_lookup_elem(&spaces, &pid);
		thread->image = space && is_recorded(pid, &execs) &&
						(execs ? *execs : 0) == space->execs ?
					space->image :
					ITP_RECORD_NO_IMAGE;
		thread->version = now;
	}
	return thread->image;
}

static __always_inline void fill_head(struct itp_record_head *head, __u32 kind,
				      struct task_struct *task, __u64 time_ns, __u64 stack)
{
	head->kind = kind;
	head->cpu = bpf_get_smp_processor_id();
	head->stack = stack;
	head->time_ns = time_ns;
	head->pid = task->tgid;
	head->tid = task->pid;
}

#endif
