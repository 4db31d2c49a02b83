/* SPDX-License-Identifier: MIT */
/*
 * Job: workloads are ranked, by the options of a request, and the result is shown.
 *
 * The data of a certain job begins with a struct itp_rank_job. It sets the defaults, reads the
 * options and calls itp_rank_job_open(). Then workloads come, from messages or from memory, and
 * itp_rank_job_finish() has `show_result` called. Messages are left to sinks/profiles.
 */
#ifndef ITP_ENGINE_RANKING_JOB_H
#define ITP_ENGINE_RANKING_JOB_H

#include <glib.h>
#include <stdbool.h>

#include "common/compare/compare.h"
#include "common/compare/workload-set.h"
#include "common/engine/params.h"
#include "common/engine/view-options.h"
#include "common/rank/ranking.h"

/* Treatment of the time in which threads wait for work. */
enum itp_rank_idle {
	ITP_RANK_IDLE_APART,
	ITP_RANK_IDLE_RANKED,
};

extern const char *const itp_rank_idle_names[];

/* Reason for a result. */
enum itp_rank_ending {
	ITP_RANK_ENDED,
	ITP_RANK_FAILED,
	ITP_RANK_INTERRUPTED,
};

struct itp_rank_job {
	/* Options. Strings are owned by this. */
	GPtrArray *base;
	char *output;
	uint64_t top;
	char *per;
	/* Part to be shared by all workloads; NULL: any common one. */
	char *in;
	enum itp_rank_idle idle;
	uint64_t min_count;
	char *spread;
	GPtrArray *own_modules;
	GPtrArray *runtime_modules;
	struct itp_rank_view_params view;

	/* Writes the result, once there is a suspect. */
	bool (*show_result)(struct itp_rank_job *job, const struct itp_sides *sides,
			    enum itp_rank_ending ending, GError **error);
	/* Shows a period, which has just ended, of a workload. NULL: only the end is shown. */
	bool (*show_period)(struct itp_rank_job *job, const struct itp_set_workload *period,
			    GError **error);
	/* Called again and again while there is input, or may be. May be NULL. */
	void (*refresh)(struct itp_rank_job *job);
	/* Frees the job with all that is behind it. */
	void (*free)(struct itp_rank_job *job);

	/* `spread` as a number, 0.04 for 4 %. */
	double assumed_spread;
	/* Of own_modules and runtime_modules. */
	struct itp_module_kinds module_kinds;
	/* Owned by this. */
	struct itp_view_options *view_options;
	struct itp_workload_set *workloads;
};

/* Rows for the table of a structure that has a job as `member`. */
#define ITP_RANK_JOB_PARAMS(structure, member)                                                 \
	{ "base", ITP_PARAM_STRINGS, offsetof(structure, member.base), NULL },                 \
		{ "output", ITP_PARAM_STRING, offsetof(structure, member.output), NULL },      \
		{ "top", ITP_PARAM_COUNT, offsetof(structure, member.top), NULL },             \
		{ "per", ITP_PARAM_STRING, offsetof(structure, member.per), NULL },            \
		{ "in", ITP_PARAM_STRING, offsetof(structure, member.in), NULL },              \
		{ "idle", ITP_PARAM_CHOICE, offsetof(structure, member.idle),                  \
		  itp_rank_idle_names },                                                       \
		{ "min-count", ITP_PARAM_COUNT, offsetof(structure, member.min_count), NULL }, \
		{ "spread", ITP_PARAM_STRING, offsetof(structure, member.spread), NULL },      \
		{ "own-modules", ITP_PARAM_STRINGS, offsetof(structure, member.own_modules),   \
		  NULL },                                                                      \
		{ "runtime-modules", ITP_PARAM_STRINGS,                                        \
		  offsetof(structure, member.runtime_modules), NULL },                         \
		ITP_RANK_VIEW_PARAMS(structure, member.view)

/* Takes the values of the options apart. An error names the option. */
bool itp_rank_job_open(struct itp_rank_job *job, GError **error);
/* Frees everything but the strings of the options, and not `job` itself. */
void itp_rank_job_release(struct itp_rank_job *job);

/* Fills in what the options above say, in `options`, and ranks. NULL on an error. */
struct itp_ranking *itp_rank_job_rank(const struct itp_rank_job *job,
				      struct itp_ranking_options options,
				      const struct itp_sides *sides, GError **error);

/* Calls `show_result` with the workloads so far; an error without any. To be called once. */
bool itp_rank_job_finish(struct itp_rank_job *job, enum itp_rank_ending ending, GError **error);

/* Ends a period of the workload `period`, which is shown and becomes part of it. */
bool itp_rank_job_end_period(struct itp_rank_job *job, struct itp_set_workload *period,
			     GError **error);

#endif
