/* SPDX-License-Identifier: MIT */
/*
 * Alike sets of call paths, whose units are of one type (PerfGuard, section 4.2).
 *
 * The distance of two sets is the paper's Algorithm 1 (distances.h). A set of different paths has a
 * distance to itself, too: half of both own distances is subtracted from the distance of two sets,
 * with 0 left for equal ones. Hierarchical clustering, by average linkage, does the rest.
 */
#ifndef ITP_UNIT_LIKE_SETS_H
#define ITP_UNIT_LIKE_SETS_H

#include "common/base/context-tree.h"
#include "common/base/function-table.h"
#include "common/unit/path-sets.h"

/* Sets to compare. All weak. */
struct itp_like_sets {
	const struct itp_context_tree *tree;
	const struct itp_function_table *functions;
	const struct itp_path_sets *paths;
	/* Loop of the units that took the sets. */
	uint32_t loop;
	/* Sets with most units first. */
	const uint32_t *sets;
	guint count;
};

/* By set: the first set alike; sets with a distance of `cut` (0 to 1) or more are not alike. Free
 * with g_free(). */
guint *itp_like_sets_find(const struct itp_like_sets *like, double cut);

#endif
