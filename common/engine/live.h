/* SPDX-License-Identifier: MIT */
/*
 * A recording that grows, through standard input, read and ranked period by period, beside its
 * base, if any.
 */
#ifndef ITP_ENGINE_LIVE_H
#define ITP_ENGINE_LIVE_H

#include "common/engine/host-graphs.h"
#include "common/engine/inputs.h"
#include "common/engine/memory-profile.h"
#include "common/engine/perf-inputs.h"
#include "common/engine/period.h"
#include "common/engine/recordings.h"
#include "terminal/screen.h"

/* Base of the periods: recordings, read before perf is started, and traces such as saved
 * profiles. */
struct itp_live_base {
	/* Inputs to be read, and recordings once read. Owned by this. */
	struct itp_inputs inputs;
	struct itp_reading_params params;
	struct itp_recordings *recordings;
	/* struct itp_memory_profile. Owned by this. */
	GArray *profiles;
};

/* Reads the inputs named by the parameter `base` of the ranking, if any, with the `values` of all
 * parameters, by stage. Traces are tried by `graphs`, as long as there are no other threads. To be
 * released, also after an error. */
bool itp_live_base_read(struct itp_live_base *base, GHashTable *const *values,
			const struct itp_graphs *graphs, const struct itp_recordings_watch *watch,
			GError **error);
void itp_live_base_release(struct itp_live_base *base);

/* All is weak; the base and the screen must outlive the live reading. */
struct itp_live_options {
	/* Maps by enum itp_stage. */
	GHashTable *const *values;
	/* Period as for filter.introperf.infer. */
	const char *period;
	/* Processes left out; 0 ends them. */
	const int *excluded_pids;
	const struct itp_live_base *base;
	/* Graphs for traces of the base. */
	const struct itp_graphs *graphs;
	/* Receiver of missing names. */
	itp_tell_func tell;
	/* NULL for none. */
	struct itp_screen *screen;
};

struct itp_live {
	struct itp_live_options options;
	/* Owned by this, all of them. */
	struct itp_rank_job *job;
	struct itp_perf_inputs inputs;
	struct itp_analysis *analysis;
	/* Live workload, in `job`. Weak. */
	struct itp_set_workload *workload;
	/* Offset from times of the recording to those of the workload. */
	int64_t offset_ns;
	struct itp_period_watch watch;
	struct itp_perf_silence silence;
	/* Reason why a period could not be shown; none is shown after it. Owned by this. */
	GError *refusal;
	/* Nothing was recorded, an error as others are. */
	bool is_empty;
};

/* Reads the base, and waits for the first that is recorded. Errors are about the parameters, and
 * about what cannot be read. To be released, also after an error. */
bool itp_live_init(struct itp_live *live, const struct itp_live_options *options, GError **error);
void itp_live_release(struct itp_live *live);

/* Ranks each period, and at the end of standard input the whole. To be called once. */
bool itp_live_run(struct itp_live *live, GError **error);

#endif
