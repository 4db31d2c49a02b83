/* SPDX-License-Identifier: MIT */
/*
 * Answers to the kernel: is the place of a thread, by its stack, a wait, a context, or neither?
 * (PerfGuard, section 4.5.)
 */
#ifndef ITP_PERF_GUARD_ANSWERS_H
#define ITP_PERF_GUARD_ANSWERS_H

#include "plugins/perf/guard/kernel.h"
#include "plugins/perf/guard/processes.h"

/* All is weak. */
struct itp_guard_answers {
	const struct itp_guard_file *file;
	const struct itp_guard_processes *processes;
	struct itp_guard_kernel *kernel;
};

/* `stack` has the functions of the question, root first, and `end` is from
 * itp_guard_processes_stack(). A stack that does not reach its root, as libraries were just being
 * loaded, is no answer. */
void itp_guard_answer(const struct itp_guard_answers *answers,
		      const struct itp_guard_snapshot *snapshot, const GArray *stack,
		      enum itp_stack_end end);

#endif
