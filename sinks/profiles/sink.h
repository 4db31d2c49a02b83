/* SPDX-License-Identifier: MIT */
/*
 * A job of ranking (common/engine/ranking-job.h) as a sink: its parameters, and what it adds to the
 * job for a component.
 *
 * The data of such a sink begins with a struct itp_rank_sink. It sets the defaults, reads the
 * parameters and opens the job.
 */
#ifndef ITP_SINKS_PROFILES_SINK_H
#define ITP_SINKS_PROFILES_SINK_H

#include <babeltrace2/babeltrace.h>
#include <glib.h>
#include <stdbool.h>

#include "common/engine/ranking-job.h"
#include "common/engine/params.h"
#include "messages/upstream.h"
#include "sinks/profiles/arrivals.h"

struct itp_rank_sink {
	struct itp_rank_job job;

	/* Called again and again while there is input, or may be. May be NULL. */
	void (*refresh)(struct itp_rank_sink *sink);
	void (*free)(struct itp_rank_sink *sink);
	/* For sinks of more than profiles; NULL: itp_rank_sink_add() (component.h) and
	 * itp_rank_job_finish(). The first takes useful parts of a message, the second makes the
	 * result. */
	bool (*add)(struct itp_rank_sink *sink, const bt_message *message, GError **error);
	bool (*finish)(struct itp_rank_sink *sink, enum itp_rank_ending ending, GError **error);

	/* Members of the component. Owned by it. */
	struct itp_upstream upstream;
	struct itp_arrivals *arrivals;
	/* A host makes the result; and what the component was to do is done: the result was
	 * written, or the reason why not was reported. */
	bool is_hosted;
	bool is_done;
};

/* Rows for the table of a structure that has a view (view-options.h) as `member`. */
#define ITP_RANK_VIEW_PARAMS(structure, member)                                                   \
	{ "names", ITP_PARAM_CHOICE, offsetof(structure, member.names), itp_rank_naming_names },  \
		{ "names-file", ITP_PARAM_STRING, offsetof(structure, member.names_file), NULL }, \
		{ "process", ITP_PARAM_STRINGS, offsetof(structure, member.processes), NULL },    \
		{ "focus", ITP_PARAM_STRINGS,                                                     \
		  offsetof(structure, member.patterns[ITP_VIEW_FOCUS]), NULL },                   \
		{ "ignore", ITP_PARAM_STRINGS,                                                    \
		  offsetof(structure, member.patterns[ITP_VIEW_IGNORE]), NULL },                  \
		{ "hide", ITP_PARAM_STRINGS, offsetof(structure, member.patterns[ITP_VIEW_HIDE]), \
		  NULL },                                                                         \
		{ "root", ITP_PARAM_STRINGS, offsetof(structure, member.patterns[ITP_VIEW_ROOT]), \
		  NULL },                                                                         \
		{ "fold-recursion", ITP_PARAM_BOOL, offsetof(structure, member.fold_recursion),   \
		  NULL },                                                                         \
		{ "max-depth", ITP_PARAM_COUNT, offsetof(structure, member.max_depth), NULL },    \
	{                                                                                         \
		"pair", ITP_PARAM_STRINGS, offsetof(structure, member.pairs), NULL                \
	}

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

/* The end of the input: has the result made of all that has come. To be called once. */
bool itp_rank_sink_end(struct itp_rank_sink *sink, enum itp_rank_ending ending, GError **error);

#endif
