/* SPDX-License-Identifier: MIT */
/*
 * Candidates: functions that a person could open, each in its context, as a tree of their own.
 *
 * A frame is a candidate unless a frame above it is better known: memcpy of the C library is none
 * below "price" of the program. Costs are own latencies (ns), the suspect's minus the base's,
 * without idle contexts. culprit.c and gathered.c decide which candidates are culprits.
 */
#ifndef ITP_RANK_CANDIDATES_H
#define ITP_RANK_CANDIDATES_H

#include "common/rank/side.h"

struct itp_candidate {
	bool is_candidate;
	/* Set by culprit.c. The cost of a culprit is no longer a cost of the candidates above
	 * it. */
	bool is_culprit;
	/* Nearest candidate above it; ITP_CONTEXT_ROOT: none. */
	uint32_t above;
	/* Cost with all candidates below; and without them. */
	int64_t cost_ns;
	int64_t self_ns;
	/* First candidate right below it, and the next with the same parent. 0: none. */
	uint32_t first_below;
	uint32_t next;
};

struct itp_candidates {
	/* Weak. */
	const struct itp_rank_state *state;
	/* Nodes as candidates, by node. Owned by this. */
	struct itp_candidate *nodes;
	/* Largest cost of any candidate, without its sign. */
	double largest_ns;
	/* Functions called at all in a workload, by function, the suspect's first; all false
	 * without a base. Owned by this. */
	bool *is_called[2];
};

/* `state` must outlive the candidates. */
struct itp_candidates *itp_candidates_new(const struct itp_rank_state *state);
void itp_candidates_free(struct itp_candidates *candidates);

/* ---- gathered.c ---- */

/* Contexts below candidate `node`, none below another, of the deepest function with at least `part`
 * of the cost of `node` in all of them together: an allocator called in hundreds of contexts.
 * Culprits and contexts below them are left out. NULL: there is none. Free with g_array_unref(). */
GArray *itp_gathered_find(const struct itp_candidates *candidates, uint32_t node, double part);

#endif
