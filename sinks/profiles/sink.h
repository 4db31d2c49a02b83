/* SPDX-License-Identifier: MIT */
/*
 * Common parts of sinks that rank workloads: their parameters, the workloads, the base among them,
 * and the result.
 *
 * The data of such a sink begins with a struct itp_rank_sink. It sets the defaults, reads the
 * parameters and calls itp_rank_sink_open(). Then workloads come, from messages or from a host's
 * memory, and itp_rank_sink_end() has `show_result` called.
 */
#ifndef ITP_SINKS_PROFILES_SINK_H
#define ITP_SINKS_PROFILES_SINK_H

#include <babeltrace2/babeltrace.h>
#include <glib.h>
#include <stdbool.h>

#include "common/compare/compare.h"
#include "common/compare/workload-set.h"
#include "common/rank/ranking.h"
#include "messages/params.h"
#include "messages/upstream.h"
#include "sinks/profiles/arrivals.h"
#include "sinks/profiles/view.h"

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

struct itp_rank_sink {
	/* Parameters. Strings are owned by this. */
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
	bool (*show_result)(struct itp_rank_sink *sink, const struct itp_sides *sides,
			    enum itp_rank_ending ending, GError **error);
	/* Shows a period, which has just ended, of a workload. NULL: only the end is shown. */
	bool (*show_period)(struct itp_rank_sink *sink, const struct itp_set_workload *period,
			    GError **error);
	/* Called again and again while there is input, or may be. May be NULL. */
	void (*refresh)(struct itp_rank_sink *sink);
	void (*free)(struct itp_rank_sink *sink);
	/* For sinks of more than profiles; NULL: itp_rank_sink_add() (component.h) and
	 * itp_rank_sink_finish(). The first takes useful parts of a message, the second makes the
	 * result. */
	bool (*add)(struct itp_rank_sink *sink, const bt_message *message, GError **error);
	bool (*finish)(struct itp_rank_sink *sink, enum itp_rank_ending ending, GError **error);

	/* `spread` as a number, 0.04 for 4 %. */
	double assumed_spread;
	/* Of own_modules and runtime_modules. */
	struct itp_module_kinds module_kinds;
	/* Owned by this. */
	struct itp_view_options *view_options;
	struct itp_workload_set *workloads;

	/* Members of the component. Owned by it. */
	struct itp_upstream upstream;
	struct itp_arrivals *arrivals;
	/* A host makes the result; and what the component was to do is done: the result was
	 * written, or the reason why not was reported. */
	bool is_hosted;
	bool is_done;
};

/* Rows for the table of a structure that has them as `member`. */
#define ITP_RANK_SINK_PARAMS(structure, member)                                                \
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

/* Takes the values of the parameters apart. An error names the parameter. */
bool itp_rank_sink_open(struct itp_rank_sink *sink, GError **error);
/* Frees everything but the strings of the parameters, and not `sink` itself. */
void itp_rank_sink_release(struct itp_rank_sink *sink);

/* Fills in what the parameters above say, in `options`, and ranks. NULL on an error. */
struct itp_ranking *itp_rank_sink_rank(const struct itp_rank_sink *sink,
				       struct itp_ranking_options options,
				       const struct itp_sides *sides, GError **error);

/* The end of the input: has the result made of all that has come. To be called once. */
bool itp_rank_sink_end(struct itp_rank_sink *sink, enum itp_rank_ending ending, GError **error);
/* Calls `show_result` with the workloads so far; an error without any. */
bool itp_rank_sink_finish(struct itp_rank_sink *sink, enum itp_rank_ending ending, GError **error);

/* Ends a period of the workload `period`, which is shown and becomes part of it. */
bool itp_rank_sink_end_period(struct itp_rank_sink *sink, struct itp_set_workload *period,
			      GError **error);

#endif
