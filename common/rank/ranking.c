/* SPDX-License-Identifier: MIT */
/*
 * See ranking.h: names of its numbers, and recordings of its runs.
 */
#include "common/rank/ranking.h"

const char *const itp_metric_names[] = {
	[ITP_METRIC_OWN] = "own",
	[ITP_METRIC_TOTAL] = "total",
	[ITP_METRIC_COUNT] = "count",
	[ITP_METRIC_EACH] = "each",
	NULL,
};

const char *const itp_method_names[] = {
	[ITP_METHOD_TOTALS] = "totals",
	[ITP_METHOD_PAPER] = "paper",
	NULL,
};

const char *const itp_rank_by_names[] = {
	[ITP_RANK_BY_PATH] = "path",       [ITP_RANK_BY_FUNCTION] = "function",
	[ITP_RANK_BY_MODULE] = "module",   [ITP_RANK_BY_WAIT] = "wait",
	[ITP_RANK_BY_PROCESS] = "process", NULL,
};

const char *const itp_novelty_names[] = {
	[ITP_NOVELTY_NONE] = "none",
	[ITP_NOVELTY_NEW] = "new",
	[ITP_NOVELTY_VANISHED] = "vanished",
	[ITP_NOVELTY_MOVED] = "moved",
};

const char *const itp_doubt_names[] = {
	"base-empty", "suspect-empty", "other-programs", "no-common-context", "length", "losses",
	"amount",     "architectures", "idle",
};

const char *const itp_doubt_about_names[] = {
	[ITP_DOUBT_ABOUT_NOTHING] = "none",  [ITP_DOUBT_ABOUT_SAMPLES] = "samples",
	[ITP_DOUBT_ABOUT_WAITS] = "waits",   [ITP_DOUBT_ABOUT_RUNS] = "runs",
	[ITP_DOUBT_ABOUT_WORK] = "work",     [ITP_DOUBT_ABOUT_SIZE] = "size",
	[ITP_DOUBT_ABOUT_LOSSES] = "losses", [ITP_DOUBT_ABOUT_CUTS] = "cuts",
};

const char *const itp_verdict_names[] = {
	[ITP_VERDICT_NONE] = "none",
	[ITP_VERDICT_CHANCE] = "chance",
	[ITP_VERDICT_LIKELY] = "likely",
	[ITP_VERDICT_SURE] = "sure",
};

static struct itp_recording recording_of(const struct itp_workload *workload)
{
	return (struct itp_recording){
		.name = workload->name,
		.clock = workload->clock,
		.begin_ns = workload->counts.begin_ns,
		.end_ns = workload->counts.end_ns,
		.recall = workload->recall,
	};
}

struct itp_recording *itp_recording_list_new(const struct itp_runs *runs)
{
	struct itp_recording *recordings =
		runs->count > 1 ? g_new0(struct itp_recording, runs->count) : NULL;

	for (size_t i = 0; recordings && i < runs->count; i++) {
		recordings[i] = recording_of(&runs->profiles[i]->workload);
		recordings[i].name = g_strdup(recordings[i].name);
	}
	return recordings;
}

void itp_recording_list_free(struct itp_recording *recordings, size_t count)
{
	for (size_t i = 0; recordings && i < count; i++) {
		g_free(recordings[i].name);
	}
	g_free(recordings);
}

void itp_ranking_recording(const struct itp_ranking *ranking, bool of_base, uint32_t run,
			   struct itp_recording *ret_recording)
{
	const struct itp_recording *recordings = of_base ? ranking->base_recordings :
							   ranking->suspect_recordings;
	const struct itp_profile *profile = of_base ? ranking->base : ranking->suspect;

	*ret_recording = recordings ? recordings[run] : recording_of(&profile->workload);
}
