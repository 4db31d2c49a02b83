/* SPDX-License-Identifier: MIT */
/*
 * The walk from the leaf to the culprit.
 */
#include "common/rank/culprit.h"

#include "common/rank/modules.h"

/* How many times as much a caller must cost to be the culprit instead. */
#define CALLER_FACTOR 2

int64_t *itp_culprit_weights(const struct itp_rank_state *state)
{
	int64_t *weights = g_new0(int64_t, state->node_count);

	for (uint32_t node = state->node_count; node-- > 1;) {
		weights[node] += itp_rank_own_delta(state, node);
		weights[itp_rank_parent(state, node)] += weights[node];
	}
	return weights;
}

/* Among the functions whose modules are of a kind up to `most_foreign`. */
static uint32_t find_among(const struct itp_rank_state *state, const int64_t *weights,
			   uint32_t leaf, enum itp_module_kind most_foreign, int64_t sign)
{
	uint32_t culprit = ITP_CONTEXT_ROOT;

	for (uint32_t node = leaf; itp_rank_is_frame(state, node);
	     node = itp_rank_parent(state, node)) {
		if (itp_rank_kind(state, node) > most_foreign) {
			continue;
		}
		if (culprit == ITP_CONTEXT_ROOT ||
		    sign * weights[node] > CALLER_FACTOR * sign * weights[culprit]) {
			culprit = node;
		} else if (sign * weights[culprit] > 0) {
			break;
		}
	}
	return culprit;
}

uint32_t itp_culprit_find(const struct itp_rank_state *state, const int64_t *weights, uint32_t leaf)
{
	static const enum itp_module_kind most_foreign[] = {
		ITP_MODULE_LIBRARY,
		ITP_MODULE_SYSTEM_LIBRARY,
		ITP_MODULE_KERNEL,
	};
	uint32_t culprit = ITP_CONTEXT_ROOT;
	int64_t path_ns = 0;
	int64_t sign;

	for (uint32_t node = leaf; itp_rank_is_frame(state, node);
	     node = itp_rank_parent(state, node)) {
		path_ns += itp_rank_own_delta(state, node);
	}
	if (path_ns == 0) {
		return ITP_CONTEXT_ROOT;
	}
	/* A path that got faster is explained by what it no longer does. */
	sign = path_ns > 0 ? 1 : -1;
	for (size_t i = 0; i < G_N_ELEMENTS(most_foreign) && culprit == ITP_CONTEXT_ROOT; i++) {
		culprit = find_among(state, weights, leaf, most_foreign[i], sign);
	}
	return culprit;
}
