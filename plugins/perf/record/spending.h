/* SPDX-License-Identifier: MIT */
/*
 * What a recording has cost until now, in CPU time: of the recorded programs, which programs in the
 * kernel hold up, and of this process.
 */
#ifndef ITP_PERF_RECORD_SPENDING_H
#define ITP_PERF_RECORD_SPENDING_H

#include "plugins/perf/record/kernel.h"
#include "plugins/perf/record/windows.h"

/* Purpose of this process's CPU time. */
enum itp_recorder_work {
	ITP_RECORDER_WORK_OTHERS,
	/* While system calls are watched. */
	ITP_RECORDER_WORK_CALLS,
	/* To begin and to end to watch them. */
	ITP_RECORDER_WORK_EDGES,
	/* For code that is new, once, whatever is watched. */
	ITP_RECORDER_WORK_LEARNING,
	ITP_RECORDER_WORKS,
};

struct itp_recorder_spending {
	/* Weak. */
	const struct itp_recorder_kernel *kernel;
	guint hertz;
	/* By how much a system call takes longer while programs are attached to it, besides what
	 * they take. */
	double call_ns;
	/* Runs that were counted to find that out. */
	struct itp_record_runs before;
	/* CPU time of this process that was counted, and for what. */
	double own_counted_ns;
	double own_ns[ITP_RECORDER_WORKS];
};

/* Counts the CPU time of this process since the last count as such work. */
void itp_recorder_spending_count(struct itp_recorder_spending *spending,
				 enum itp_recorder_work work);

/* Counts from now on. System calls are watched for a millisecond, to find out what that costs:
 * before anything is recorded. */
bool itp_recorder_spending_init(struct itp_recorder_spending *spending,
				struct itp_recorder_kernel *kernel, guint hertz, GError **error);

/* CPU time that was spent until now, after a last count. */
struct itp_recorder_spent itp_recorder_spending_read(const struct itp_recorder_spending *spending);

#endif
