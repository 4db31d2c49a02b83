/* SPDX-License-Identifier: MIT */
/*
 * Input of an export: sums of a tree of contexts, a timeline, or both.
 */
#ifndef ITP_RENDER_EXPORT_INPUT_H
#define ITP_RENDER_EXPORT_INPUT_H

#include "common/infer/profile.h"
#include "common/render/export/timeline.h"

/* Sums of a workload, or of two, over a common tree. All weak. */
struct itp_export_tree {
	const struct itp_function_table *functions;
	const struct itp_context_tree *contexts;
	const struct itp_profile *suspect;
	/* NULL without a base. */
	const struct itp_profile *base;
};

/* Input; either may be NULL, not both. */
struct itp_export_input {
	/* How the input is called. Weak. */
	const char *name;
	/* Of everything below. Weak. */
	const struct itp_function_table *functions;
	const struct itp_export_tree *tree;
	/* Finished. */
	struct itp_timeline *timeline;
};

#endif
