/* SPDX-License-Identifier: MIT */
/*
 * A view: new profiles from old ones, all of one tree, all in the same way.
 *
 * In this order: functions get their canonical names, and programs and modules that are one in base
 * and suspects (pairs.h) one name, so that siblings that become equal merge;
 * `process`, `ignore`, `focus` and `root` leave contexts out; `hide`, recursion folding and
 * `max_depth` take frames out of the contexts that are left. Patterns see canonical names and every
 * frame, but not the roots of processes, which always stay above what is left of them.
 *
 * Every node of the old tree goes into one of the new tree, or is left out:
 *
 * - what it is called by goes there too (hide, folding, max_depth, a part of a function): it is
 *   no call any more. Its own latency and use go to the caller, whose totals had it already; its
 *   count, extremes, squares, histogram and losses are gone. Nothing is added or lost in the sum
 *   of own latencies. Below a hidden frame that a process began with, the caller is the process;
 * - otherwise it is a call there, and all its numbers add up with those of the others there.
 *
 * What is left out is so with everything below it.
 *
 * - process: those of other processes (view-processes.h);
 * - ignore: contexts that hold such a function. Their totals and use go out of their callers', with
 *   bounds as differences of intervals, so that a lower bound can be below 0;
 * - root: all but the outermost such functions and what is below them, which then hang under their
 *   process;
 * - focus: contexts that hold no such function. Callers that lead to one stay without own latency.
 *
 * Total, bounds and use of a frame or a process that only leads to what focus or root kept are the
 * sums of that. Count, lost_count, extremes, squares and histogram of any caller stay those of its
 * calls as they were, as does what the workload says of itself, but for its options.
 *
 * All of this is linear, so the view of merged profiles is the merge of the views.
 */
#ifndef ITP_RANK_VIEW_H
#define ITP_RANK_VIEW_H

#include "common/base/context-tree.h"
#include "common/base/function-table.h"
#include "common/infer/profile.h"
#include "common/rank/names.h"
#include "common/rank/pairs.h"
#include "common/rank/patterns.h"
#include "common/rank/renamed.h"

enum itp_view_pattern {
	ITP_VIEW_FOCUS = 0,
	ITP_VIEW_IGNORE = 1,
	ITP_VIEW_HIDE = 2,
	ITP_VIEW_ROOT = 3,
};

#define ITP_VIEW_PATTERN_COUNT 4

/* Names of the parameters, by number. */
extern const char *const itp_view_pattern_names[ITP_VIEW_PATTERN_COUNT];

struct itp_view_options {
	/* Weak. */
	const struct itp_names *names;
	/* They are shortened (short-names.h). */
	bool shortens;
	struct itp_pair_rules pairs;
	/* Of names of processes (char *); NULL: all. Weak. */
	const GPtrArray *processes;
	/* By enum itp_view_pattern; NULL: none. Weak. */
	const struct itp_patterns *patterns[ITP_VIEW_PATTERN_COUNT];
	/* A function that calls itself directly is one call, the outermost. */
	bool fold_recursion;
	/* Frames below the root of a process; 0: any number. */
	uint64_t max_depth;
	/* All of this as "name=value name=value", for the options of the workloads; NULL or empty
	 * when there is nothing to say. Weak. */
	const char *text;
};

struct itp_view {
	/* All owned by this. */
	struct itp_function_table *functions;
	struct itp_context_tree *tree;
	/* struct itp_profile *, in the order in which they were given. */
	GPtrArray *profiles;
	/* struct itp_pair and struct itp_renaming (by `functions`): what is one in the base and the
	 * others; NULL when nothing was compared. */
	GArray *pairs;
	GArray *renamings;
};

struct itp_view_input {
	const struct itp_function_table *functions;
	const struct itp_context_tree *tree;
	/* struct itp_profile * */
	const GPtrArray *profiles;
	/* By profile: whether it is of a base; NULL when nothing is compared. */
	const bool *is_base;
	/* Profiles of millions of contexts need as much memory again unless this is set: then they
	 * are empty afterwards. */
	bool takes;
};

/* Fails when a pattern matches nothing, when a pair cannot be, and when nothing is left. */
struct itp_view *itp_view_new(const struct itp_view_options *options,
			      const struct itp_view_input *input, GError **error);
void itp_view_free(struct itp_view *view);

#endif
