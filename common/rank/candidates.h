/* SPDX-License-Identifier: MIT */
/*
 * Candidates: functions that a person could open, each in its context, as a tree of their own.
 *
 * A frame is a candidate unless somebody above it is better known: below "price" of the program,
 * memcpy of the C library is none. Costs are own latencies that the suspect has more than the base
 * (ns), without what is idle. Which candidates are culprits is decided in culprit.c and gathered.c.
 */
#ifndef ITP_RANK_CANDIDATES_H
#define ITP_RANK_CANDIDATES_H

#include "common/rank/side.h"

struct itp_candidate {
	bool is_candidate;
	/* Set by culprit.c. Its cost is no longer that of any candidate above it. */
	bool is_culprit;
	/* The nearest candidate above it; ITP_CONTEXT_ROOT: none. */
	uint32_t above;
	/* Its own and that of all below it; and without the candidates below it. */
	int64_t cost_ns;
	int64_t self_ns;
	/* The first candidate right below it, and the next one below the same. 0: none. */
	uint32_t first_below;
	uint32_t next;
};

struct itp_candidates {
	/* Weak. */
	const struct itp_rank_state *state;
	/* By node. Owned by this. */
	struct itp_candidate *nodes;
	/* The largest cost of any candidate, without its sign. */
	double largest_ns;
	/* By function: in which of both workloads it was called at all, suspect first; nowhere when
	 * there is no base. Owned by this. */
	bool *is_called[2];
};

/* `state` must outlive them. */
struct itp_candidates *itp_candidates_new(const struct itp_rank_state *state);
void itp_candidates_free(struct itp_candidates *candidates);

/* ---- gathered.c ---- */

/* Contexts below candidate `node`, none below another, of the deepest function that costs at least
 * `part` of what `node` costs in all of them together, such as an allocator's in hundreds. Without
 * culprits and what is below these. NULL: there is none. Free with g_array_unref(). */
GArray *itp_gathered_find(const struct itp_candidates *candidates, uint32_t node, double part);

#endif
