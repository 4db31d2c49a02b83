/* SPDX-License-Identifier: MIT */
/*
 * Cost of a recording until now, in CPU time: of the recorded programs, held up by programs in the
 * kernel, and of this process.
 */
#ifndef ITP_PERF_RECORD_SPENDING_H
#define ITP_PERF_RECORD_SPENDING_H

#include "plugins/perf/record/kernel.h"
#include "plugins/perf/record/windows.h"

struct itp_recorder_spending {
	/* Weak. */
	const struct itp_recorder_kernel *kernel;
	guint hertz;
	/* Time by which a system call takes longer while programs are attached to it, besides their
	 * own. */
	double call_ns;
	/* Counts behind it. */
	struct itp_record_runs before;
	/* Counted CPU time of this process; its part in the time of system calls, and the rest. */
	double own_counted_ns;
	double own_calls_ns;
	double own_others_ns;
};

/* Counts from now on. System calls are watched for a millisecond, to find its cost: before anything
 * is recorded. */
bool itp_recorder_spending_init(struct itp_recorder_spending *spending,
				struct itp_recorder_kernel *kernel, guint hertz, GError **error);

/* Cost until now; `were_calls_watched` since the last call. */
struct itp_recorder_spent itp_recorder_spending_read(struct itp_recorder_spending *spending,
						     bool were_calls_watched);

#endif
