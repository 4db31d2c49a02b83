/* SPDX-License-Identifier: MIT */
/*
 * Trunk of a difference: the last function above nearly all of it, before it branches.
 *
 * If the extra cost of a run is divided among several entries, none of them tells the whole:
 * "derive" stands above "copy" (+100 ms) and "digest" (+80 ms). The entries themselves are those of
 * culprit.c.
 */
#include "common/rank/steps.h"

/* Least part of the whole difference below the trunk, and largest part of the base's time there. */
#define NEARLY_ALL 0.9

/* Own latency of a profile at and below each node. Free with g_free(). */
static int64_t *totals_of(const struct itp_rank_state *state, const struct itp_profile *profile)
{
	int64_t *total = g_new0(int64_t, state->node_count);

	for (uint32_t node = state->node_count; node-- > 1;) {
		if (itp_rank_is_ranked(state, node)) {
			total[node] += itp_profile_peek(profile, node)->own_ns;
		}
		total[itp_rank_parent(state, node)] += total[node];
	}
	return total;
}

static bool can_be_told(const struct itp_rank_state *state, uint32_t node)
{
	return itp_rank_is_frame(state, node) && !itp_rank_function(state, node)->is_unnamed &&
	       itp_rank_kind(state, node) < ITP_MODULE_RUNTIME;
}

/* Child with most of the difference below it, by node; 0 for none. Free with g_free(). */
static uint32_t *heaviest_of(const struct itp_rank_state *state, const int64_t *suspect,
			     const int64_t *base)
{
	uint32_t *heaviest = g_new0(uint32_t, state->node_count);

	for (uint32_t node = 1; node < state->node_count; node++) {
		uint32_t parent = itp_rank_parent(state, node);
		uint32_t known = heaviest[parent];

		if (known == 0 || suspect[node] - base[node] > suspect[known] - base[known]) {
			heaviest[parent] = node;
		}
	}
	return heaviest;
}

static uint32_t find_trunk(const struct itp_rank_state *state, const int64_t *suspect,
			   const int64_t *base)
{
	g_autofree uint32_t *heaviest = heaviest_of(state, suspect, base);
	double most_ns = NEARLY_ALL * (double)(suspect[0] - base[0]);
	uint32_t node = heaviest[ITP_CONTEXT_ROOT];
	uint32_t found = ITP_CONTEXT_ROOT;

	while (node != 0 && (double)(suspect[node] - base[node]) >= most_ns) {
		if (can_be_told(state, node)) {
			found = node;
		}
		node = heaviest[node];
	}
	return found;
}

void itp_trunk_find(const struct itp_rank_state *state, struct itp_ranking *ranking)
{
	g_autofree int64_t *suspect = totals_of(state, ranking->suspect);
	g_autofree int64_t *base = totals_of(state, ranking->base);
	uint32_t node = ITP_CONTEXT_ROOT;

	ranking->trunk = (struct itp_trunk){ .function = ITP_FUNCTION_UNKNOWN };
	if (suspect[0] > base[0]) {
		node = find_trunk(state, suspect, base);
	}
	if (node != ITP_CONTEXT_ROOT && (double)base[node] < NEARLY_ALL * (double)base[0]) {
		ranking->trunk = (struct itp_trunk){
			.function = itp_rank_function_id(state, node),
			.process = itp_rank_program(state, node),
			.delta_ns = suspect[node] - base[node],
		};
	}
}
