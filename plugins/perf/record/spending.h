/* SPDX-License-Identifier: MIT */
/*
 * What a recording has cost until now, in CPU time: of the recorded programs, which programs in the
 * kernel hold up, and of this process.
 */
#ifndef ITP_PERF_RECORD_SPENDING_H
#define ITP_PERF_RECORD_SPENDING_H

#include "plugins/perf/record/kernel.h"
#include "plugins/perf/record/windows.h"

struct itp_recorder_spending {
	/* Weak. */
	const struct itp_recorder_kernel *kernel;
	guint hertz;
	/* By how much a system call takes longer while programs are attached to it, besides what
	 * they take. */
	double call_ns;
	/* What was counted to find that out. */
	struct itp_record_runs before;
	/* CPU time of this process that was counted; in the time of system calls, and else. */
	double own_counted_ns;
	double own_calls_ns;
	double own_others_ns;
};

/* Counts from now on. System calls are watched for a millisecond, to find out what that costs:
 * before anything is recorded. */
bool itp_recorder_spending_init(struct itp_recorder_spending *spending,
				struct itp_recorder_kernel *kernel, guint hertz, GError **error);

/* What was spent; `were_calls_watched` since this was called last. */
struct itp_recorder_spent itp_recorder_spending_read(struct itp_recorder_spending *spending,
						     bool were_calls_watched);

#endif
