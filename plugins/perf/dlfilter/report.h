/* SPDX-License-Identifier: MIT */
/*
 * The result: a small Babeltrace graph, made and run here, that ranks a profile which is in memory.
 *
 *     saved profiles (source.ctf.fs) ─▶ the profile in memory ─▶ sink.introperf.rank
 *
 * Made at the beginning, so that wrong parameters are known before anything is read.
 */
#ifndef ITP_PERF_DLFILTER_REPORT_H
#define ITP_PERF_DLFILTER_REPORT_H

#include "plugins/babeltrace/profile-records.h"
#include "plugins/perf/dlfilter/dlargs.h"

struct itp_report;

/* `dlargs` is weak and must outlive the result. */
struct itp_report *itp_report_new(const struct itp_dlargs *dlargs, GError **error);
void itp_report_free(struct itp_report *report);

/* Ranks what `source` says and writes the result. To be called once. */
bool itp_report_run(struct itp_report *report, const struct itp_profile_source *source,
		    GError **error);

#endif
