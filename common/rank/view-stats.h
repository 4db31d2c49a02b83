/* SPDX-License-Identifier: MIT */
/*
 * The numbers of a view: a profile on the old tree becomes one on the new tree.
 */
#ifndef ITP_RANK_VIEW_STATS_H
#define ITP_RANK_VIEW_STATS_H

#include "common/base/context-tree.h"
#include "common/infer/profile.h"

/* What is left of an old node. */
enum itp_view_role {
	/* All of it. */
	ITP_VIEW_WHOLE,
	/* What remains below it, and that it was called. */
	ITP_VIEW_LEADING,
	/* Only what remains below it. */
	ITP_VIEW_CUT,
	/* Nothing, nor of what is below it; callers lose its total. */
	ITP_VIEW_IGNORED,
	/* Nothing. */
	ITP_VIEW_GONE,
};

struct itp_view_fate {
	enum itp_view_role role;
	/* Where it goes in the new tree; of one that goes nowhere, where its parent does. Not more
	 * than the node itself, as the new tree grows while one goes through the old one. */
	uint32_t target;
	/* `target` is the node of its caller: it is no call any more. */
	bool is_inner;
};

/* Moves the statistics and the slowest calls of `profile`; wakers stay at the old nodes. `fates`
 * are by node of `tree`. */
void itp_view_profile(const struct itp_context_tree *tree, const struct itp_view_fate *fates,
		      struct itp_profile *profile);

#endif
