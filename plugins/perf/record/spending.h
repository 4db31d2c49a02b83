/* SPDX-License-Identifier: MIT */
/*
 * CPU time spent on a recording until now: of the recorded programs, held up by programs in the
 * kernel, and of this process. Windows for a budget are left to windows.h.
 */
#ifndef ITP_PERF_RECORD_SPENDING_H
#define ITP_PERF_RECORD_SPENDING_H

#include "plugins/perf/record/kernel.h"
#include "plugins/perf/record/windows.h"

/* Purpose of CPU time of the recorder's process. */
enum itp_recorder_work {
	ITP_RECORDER_WORK_OTHERS,
	/* Work while system calls are watched. */
	ITP_RECORDER_WORK_CALLS,
	/* Begins and ends of windows. */
	ITP_RECORDER_WORK_EDGES,
	/* New code, once, whatever is watched: its mappings and tables. */
	ITP_RECORDER_WORK_LEARNING,
	ITP_RECORDER_WORKS,
};

struct itp_recorder_spending {
	/* Weak. */
	const struct itp_recorder_kernel *kernel;
	/* Frequency of the timer, in hertz. */
	guint hertz;
	/* Nanoseconds added to a system call by attached programs, beyond the programs' own time.
	 */
	double call_ns;
	/* Runs of the programs needed to measure call_ns. */
	struct itp_record_runs before;
	struct itp_record_runs strangers_before;
	/* CPU time of this process until the last count, and by purpose, in nanoseconds. */
	double own_counted_ns;
	double own_ns[ITP_RECORDER_WORKS];
};

/* Counts the CPU time of this process since the last count as `work`. */
void itp_recorder_spending_count(struct itp_recorder_spending *spending,
				 enum itp_recorder_work work);

/* Begins to count. Watches system calls for a millisecond, to measure call_ns: to be called before
 * windows begin. `kernel` is weak. False with an error when the kernel refuses. */
bool itp_recorder_spending_init(struct itp_recorder_spending *spending,
				struct itp_recorder_kernel *kernel, guint hertz, GError **error);

/* CPU time spent until now; of this process, until its last count. */
struct itp_recorder_spent itp_recorder_spending_read(const struct itp_recorder_spending *spending);

#endif
