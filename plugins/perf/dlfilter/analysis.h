/* SPDX-License-Identifier: MIT */
/*
 * From the samples of one recording to its profile, without Babeltrace: what
 * source.introperf.perf, filter.introperf.infer and filter.introperf.normalize do, in one process
 * of a host that reads the recording itself.
 */
#ifndef ITP_PERF_DLFILTER_ANALYSIS_H
#define ITP_PERF_DLFILTER_ANALYSIS_H

#include "common/infer/profile.h"
#include "common/perf-data/translate.h"
#include "plugins/babeltrace/profile-records.h"
#include "plugins/perf/dlfilter/dlargs.h"

struct itp_analysis;

/* `dlargs` is weak and must outlive the result. */
struct itp_analysis *itp_analysis_new(const struct itp_dlargs *dlargs);
void itp_analysis_free(struct itp_analysis *analysis);

/* For whoever knows more about threads and their memory. Owned by the analysis. */
struct itp_translator *itp_analysis_translator(struct itp_analysis *analysis);

/* Handles one sample. Returns 0 or a negative itp_error. */
int itp_analysis_push(struct itp_analysis *analysis, uint16_t misc,
		      const struct itp_perf_sample *sample, uint64_t time_ns);

/* The thread of a sample to come runs another program, or is over, as of `time_ns`: `kind` is
 * ITP_EVENT_EXEC or ITP_EVENT_END. */
int itp_analysis_change(struct itp_analysis *analysis, enum itp_event_kind kind,
			struct itp_task *task, uint64_t time_ns);

/* Ends the input. *ret_source is what the profile's records are made of, owned by the analysis. */
int itp_analysis_finish(struct itp_analysis *analysis, struct itp_profile_source *ret_source);

#endif
