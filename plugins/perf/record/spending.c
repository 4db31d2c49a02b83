/* SPDX-License-Identifier: MIT */
/*
 * See spending.h.
 */
#include "plugins/perf/record/spending.h"

#include "plugins/perf/bpf/price.h"

#define NS_PER_S 1e9
/* CPU time of a timer's tick besides its program, in nanoseconds: the interrupt, and caches lost.
 */
#define TICK_NS 8000.0

static double run_ns(const struct itp_record_runs *runs)
{
	return runs->timed_runs > 0 ? (double)runs->timed_ns / (double)runs->timed_runs : 0;
}

static double all_runs_ns(const struct itp_record_runs *runs)
{
	return run_ns(runs) * (double)runs->runs;
}

/* Two programs in each call are counted apart. */
bool itp_recorder_spending_init(struct itp_recorder_spending *spending,
				struct itp_recorder_kernel *kernel, guint hertz, GError **error)
{
	const double bare_ns = itp_bpf_call_ns();
	struct itp_record_totals totals;
	double programs_ns;
	double watched_ns;

	if (!itp_recorder_kernel_watch_calls(kernel, error)) {
		return false;
	}
	watched_ns = itp_bpf_call_ns();
	itp_recorder_kernel_leave_calls(kernel);
	totals = itp_recorder_kernel_totals(kernel);
	programs_ns = 2 * run_ns(&totals.runs[ITP_RECORD_COST_CALLS_OF_STRANGERS]);
	*spending = (struct itp_recorder_spending){
		.kernel = kernel,
		.hertz = hertz,
		.call_ns = ITP_BPF_COLD * MAX(watched_ns - bare_ns - programs_ns, 0),
		.before = totals.runs[ITP_RECORD_COST_CALLS],
		.strangers_before = totals.runs[ITP_RECORD_COST_CALLS_OF_STRANGERS],
		.own_counted_ns = itp_bpf_process_time_ns(),
	};
	return true;
}

/* Runs since `before`. */
static struct itp_record_runs runs_since(const struct itp_record_runs *runs,
					 const struct itp_record_runs *before)
{
	return (struct itp_record_runs){
		.runs = runs->runs - before->runs,
		.timed_runs = runs->timed_runs - before->timed_runs,
		.timed_ns = runs->timed_ns - before->timed_ns,
	};
}

void itp_recorder_spending_count(struct itp_recorder_spending *spending,
				 enum itp_recorder_work work)
{
	const double own_ns = itp_bpf_process_time_ns();

	spending->own_ns[work] += own_ns - spending->own_counted_ns;
	spending->own_counted_ns = own_ns;
}

/* CPU time of runs at system calls, two of which are a call: a program at its begin, and at its
 * end. */
static double calls_ns(const struct itp_recorder_spending *spending,
		       const struct itp_record_runs *runs, const struct itp_record_runs *before)
{
	const struct itp_record_runs since = runs_since(runs, before);

	return (run_ns(&since) + spending->call_ns / 2) * (double)since.runs;
}

struct itp_recorder_spent itp_recorder_spending_read(const struct itp_recorder_spending *spending)
{
	const struct itp_record_totals totals = itp_recorder_kernel_totals(spending->kernel);
	const struct itp_record_runs *runs = totals.runs;
	const struct itp_record_runs *strangers = &runs[ITP_RECORD_COST_CALLS_OF_STRANGERS];

	return (struct itp_recorder_spent){
		.target_ns = (double)totals.ticks * NS_PER_S / spending->hertz,
		.calls_ns = calls_ns(spending, &runs[ITP_RECORD_COST_CALLS], &spending->before),
		.others_ns =
			all_runs_ns(&runs[ITP_RECORD_COST_OTHERS]) + TICK_NS * (double)totals.ticks,
		.stranger_calls_ns = calls_ns(spending, strangers, &spending->strangers_before),
		.stranger_others_ns = all_runs_ns(&runs[ITP_RECORD_COST_OTHERS_OF_STRANGERS]),
		.own_calls_ns = spending->own_ns[ITP_RECORDER_WORK_CALLS],
		.own_edges_ns = spending->own_ns[ITP_RECORDER_WORK_EDGES],
		.own_learning_ns = spending->own_ns[ITP_RECORDER_WORK_LEARNING],
		.own_others_ns = spending->own_ns[ITP_RECORDER_WORK_OTHERS],
	};
}
