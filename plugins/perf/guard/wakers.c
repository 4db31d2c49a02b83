/* SPDX-License-Identifier: MIT */
/*
 * See wakers.h. The meaning of a wakeup's stack is left to the core.
 */
#include "plugins/perf/guard/wakers.h"

#include <string.h>

#include "common/infer/wake-stack.h"

struct itp_guard_wakers {
	/* Weak. */
	struct itp_guard_processes *processes;
	/* Owned by this. */
	struct itp_boundary *boundary;
	struct itp_wake_stack *stack;
};

struct itp_guard_wakers *itp_guard_wakers_new(struct itp_guard_processes *processes)
{
	struct itp_guard_wakers *wakers = g_new0(struct itp_guard_wakers, 1);
	struct itp_function_table *functions = itp_guard_processes_functions(processes);

	wakers->processes = processes;
	wakers->boundary = itp_boundary_new(functions);
	wakers->stack = itp_wake_stack_new(functions, wakers->boundary);
	return wakers;
}

void itp_guard_wakers_free(struct itp_guard_wakers *wakers)
{
	if (wakers) {
		itp_wake_stack_free(wakers->stack);
		itp_boundary_free(wakers->boundary);
		g_free(wakers);
	}
}

struct itp_guard_waker itp_guard_wakers_tell(struct itp_guard_wakers *wakers,
					     const struct itp_guard_snapshot *snapshot)
{
	const struct itp_guard_record *record = &snapshot->record;
	const struct itp_callchain *chain =
		itp_guard_processes_resolve(wakers->processes, snapshot);
	const struct itp_stack_event event = {
		.kind = ITP_EVENT_WAKEUP,
		.argument = record->tid,
		.comm = "",
		.frames = chain->frames,
		.frame_count = chain->count,
	};
	struct itp_waker told = { 0 };
	struct itp_guard_waker waker = {
		.time_ns = record->moment.time_ns,
		.pid = record->pid,
		.tid = record->tid,
		.reason = ITP_FUNCTION_UNKNOWN,
	};

	itp_wake_stack_tell(wakers->stack, &event, ITP_FUNCTION_UNKNOWN, &told);
	memcpy(waker.comm, record->comm, sizeof(waker.comm));
	waker.function = told.function;
	if (itp_wake_stack_is_reason(wakers->stack, told.process)) {
		waker.reason = told.process;
	}
	return waker;
}
