/* SPDX-License-Identifier: MIT */
/*
 * Options and input of a view, and the view itself (view.h).
 */
#ifndef ITP_VIEW_VIEW_INPUT_H
#define ITP_VIEW_VIEW_INPUT_H

#include "common/base/context-tree.h"
#include "common/base/function-table.h"
#include "common/infer/profile.h"
#include "common/view/names.h"
#include "common/view/pairs.h"
#include "common/view/patterns.h"
#include "common/view/renamed.h"

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
	/* Names are shortened (short-names.h). */
	bool shortens;
	struct itp_pair_rules pairs;
	/* Patterns of names of processes (char *); NULL: all. Weak. */
	const GPtrArray *processes;
	/* Patterns by enum itp_view_pattern; NULL: none. Weak. */
	const struct itp_patterns *patterns[ITP_VIEW_PATTERN_COUNT];
	/* A function that calls itself directly is a single call, the outermost. */
	bool fold_recursion;
	/* Most frames below the root of a process; 0: any number. */
	uint64_t max_depth;
	/* All options as "name=value name=value", for the options of the workloads; NULL or empty
	 * for defaults. Weak. */
	const char *text;
};

struct itp_view {
	/* All owned by this. */
	struct itp_function_table *functions;
	struct itp_context_tree *tree;
	/* struct itp_profile *, in the order of the input. */
	GPtrArray *profiles;
	/* struct itp_pair and struct itp_renaming (by `functions`): the same in the base and in the
	 * others; NULL when nothing was compared. */
	GArray *pairs;
	GArray *renamings;
};

struct itp_view_input {
	const struct itp_function_table *functions;
	const struct itp_context_tree *tree;
	/* struct itp_profile * */
	const GPtrArray *profiles;
	/* Profiles of a base, by profile; NULL when nothing is compared. */
	const bool *is_base;
	/* The profiles are taken, and are empty afterwards. Otherwise profiles of millions of
	 * contexts need as much memory again. */
	bool takes;
};

#endif
