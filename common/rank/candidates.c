/* SPDX-License-Identifier: MIT */
/*
 * Functions that can be culprits, and the cost below each of them.
 *
 * Parents have smaller ids than their children: a pass over the ids goes from the root to the
 * leaves, and a backward pass sums up.
 */
#include "common/rank/candidates.h"

#include <stdlib.h>
#include <string.h>

#include "common/known/modules.h"
#include "common/known/starts.h"

/* Kinds of functions, from those that people can do most about to the least. */
enum tier {
	TIER_OWN,
	/* main() says little where an interpreter runs the program. */
	TIER_OWN_MAIN,
	/* A function without a name of its own, or with a name, but the system's. */
	TIER_HALF_KNOWN,
	TIER_UNKNOWN,
	TIER_OTHERS,
	/* Work of the kernel for others. */
	TIER_KERNEL,
};

static enum tier tier_of(const struct itp_rank_state *state, uint32_t node)
{
	enum itp_module_kind kind = itp_rank_kind(state, node);
	const struct itp_function *function = itp_rank_function(state, node);

	if (itp_module_kind_is_own(kind)) {
		if (strcmp(function->name, "main") == 0) {
			return TIER_OWN_MAIN;
		}
		return function->is_unnamed || itp_start_calls_main(function->name) ?
			       TIER_HALF_KNOWN :
			       TIER_OWN;
	}
	if (kind == ITP_MODULE_SYSTEM_LIBRARY || kind == ITP_MODULE_INTERPRETER) {
		return function->is_unnamed ? TIER_UNKNOWN : TIER_HALF_KNOWN;
	}
	return kind == ITP_MODULE_KERNEL ? TIER_KERNEL : TIER_OTHERS;
}

/* Marks frames without a better known function above them. Below the first function of an
 * interpreter no frame is marked, but for functions of a program that embeds it. */
static void find(struct itp_candidates *candidates)
{
	const struct itp_rank_state *state = candidates->state;
	g_autofree uint8_t *best = g_new0(uint8_t, state->node_count);

	for (uint32_t node = 1; node < state->node_count; node++) {
		uint32_t parent = itp_rank_parent(state, node);
		uint8_t best_above = itp_rank_is_frame(state, parent) ? best[parent] : UINT8_MAX;

		if (itp_rank_is_frame(state, node)) {
			uint8_t tier = (uint8_t)tier_of(state, node);

			if (itp_rank_kind(state, node) == ITP_MODULE_INTERPRETER &&
			    best_above == TIER_OWN_MAIN) {
				best_above = TIER_HALF_KNOWN;
			}
			candidates->nodes[node].is_candidate = tier <= best_above;
			best[node] = MIN(tier, best_above);
		}
	}
}

/* Sums cost_ns below each candidate, and self_ns without its candidates below. */
static void sum(struct itp_candidates *candidates)
{
	const struct itp_rank_state *state = candidates->state;
	struct itp_candidate *nodes = candidates->nodes;

	for (uint32_t node = 1; node < state->node_count; node++) {
		uint32_t parent = itp_rank_parent(state, node);

		nodes[node].above = nodes[parent].is_candidate ? parent : nodes[parent].above;
		nodes[nodes[node].is_candidate ? node : nodes[node].above].self_ns +=
			itp_rank_own_delta(state, node);
	}
	for (uint32_t node = state->node_count; node-- > 1;) {
		uint32_t above = nodes[node].above;

		if (nodes[node].is_candidate) {
			nodes[node].cost_ns += nodes[node].self_ns;
			nodes[above].cost_ns += nodes[node].cost_ns;
			nodes[node].next = nodes[above].first_below;
			nodes[above].first_below = node;
			candidates->largest_ns =
				MAX(candidates->largest_ns, (double)llabs(nodes[node].cost_ns));
		}
	}
}

static void find_called(struct itp_candidates *candidates)
{
	const struct itp_rank_state *state = candidates->state;
	size_t size = itp_function_table_size(state->functions);

	candidates->is_called[0] = g_new0(bool, size);
	candidates->is_called[1] = g_new0(bool, size);
	for (uint32_t node = 1; state->base.profile && node < state->node_count; node++) {
		uint32_t function = itp_rank_function_id(state, node);

		candidates->is_called[0][function] |= state->suspect.is_present[node];
		candidates->is_called[1][function] |= state->base.is_present[node];
	}
}

struct itp_candidates *itp_candidates_new(const struct itp_rank_state *state)
{
	struct itp_candidates *candidates = g_new0(struct itp_candidates, 1);

	candidates->state = state;
	candidates->nodes = g_new0(struct itp_candidate, state->node_count);
	find(candidates);
	sum(candidates);
	find_called(candidates);
	return candidates;
}

void itp_candidates_free(struct itp_candidates *candidates)
{
	g_free(candidates->nodes);
	g_free(candidates->is_called[0]);
	g_free(candidates->is_called[1]);
	g_free(candidates);
}
