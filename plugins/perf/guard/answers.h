/* SPDX-License-Identifier: MIT */
/*
 * Answers the kernel's questions: what is it where a thread was, as its stack tells? (PerfGuard,
 * section 4.5.)
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

/* `stack` are the functions of the question, root first, and `end` as itp_guard_processes_stack()
 * tells it: where it does not reach its root, as libraries were just being loaded, it is no answer.
 */
void itp_guard_answer(const struct itp_guard_answers *answers,
		      const struct itp_guard_snapshot *snapshot, const GArray *stack,
		      enum itp_stack_end end);

#endif
