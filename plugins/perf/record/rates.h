/* SPDX-License-Identifier: MIT */
/*
 * How many events a target makes, counted by perf stat, without any stack.
 */
#ifndef ITP_PERF_RECORD_RATES_H
#define ITP_PERF_RECORD_RATES_H

#include <glib.h>
#include <stdbool.h>

/* Events in a second of CPU time. */
struct itp_event_rates {
	double syscalls;
	double switches;
	double wakeups;
	/* Wakeups of new threads. */
	double starts;
	double page_faults;
};

/* Counts for half a second, and once more for two seconds if the target has hardly run. `pids` as
 * perf takes them, or NULL for the whole machine. `start` is a shell command that lets the target
 * go when counting has begun; NULL for one that runs already, which is counted four times, of which
 * the highest rates are taken. An error when the target did not run at all, or has ended. */
bool itp_event_rates_count(const char *pids, const char *start, struct itp_event_rates *ret_rates,
			   GError **error);

/* Rates from the output of `perf stat -x,`; `ret_cpu_s` is the counted CPU time, and the rates are
 * per second of it. */
void itp_event_rates_parse(const char *text, struct itp_event_rates *ret_rates, double *ret_cpu_s);

#endif
