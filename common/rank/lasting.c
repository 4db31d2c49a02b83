/* SPDX-License-Identifier: MIT */
/*
 * See lasting.h.
 */
#include "common/rank/lasting.h"

#include "common/base/hash.h"
#include "common/rank/scale.h"

/* True if all calls of `node` in `profile` went on when the recording began. */
static bool was_there(const struct itp_profile *profile, uint32_t node)
{
	const struct itp_node_stats *stats = itp_profile_peek(profile, node);

	return stats->count > 0 && stats->part_count == stats->count;
}

/* Adds the processes that others waited for, by the functions of their roots. */
static void add_wanted(const struct itp_rank_state *state, const struct itp_profile *profile,
		       GHashTable *wanted)
{
	const uint32_t count = MIN(itp_wakers_node_count(profile->wakers), state->node_count);

	for (uint32_t node = 1; node < count; node++) {
		const struct itp_node_demand *demand = &itp_profile_peek(profile, node)->demand;
		const uint32_t program = itp_rank_program(state, node);
		guint waker_count;
		const struct itp_waker *list =
			itp_wakers_of_node(profile->wakers, node, &waker_count);

		for (guint i = 0; demand->wanted_ns + demand->life_ns > 0 && i < waker_count; i++) {
			if (list[i].role != ITP_WAKER_HAD_CPU && list[i].process != program) {
				g_hash_table_add(wanted, GUINT_TO_POINTER(list[i].process));
			}
		}
	}
}

/* Nodes that last, or lie below a lasting node, by node. */
static bool *find_lasting(const struct itp_rank_state *state)
{
	const struct itp_profile *suspect = state->suspect.profile;
	const struct itp_profile *base = state->base.profile;
	g_autoptr(GHashTable) wanted = g_hash_table_new(itp_hash_number, NULL);
	bool *is_lasting = g_new0(bool, state->node_count);

	add_wanted(state, suspect, wanted);
	add_wanted(state, base, wanted);
	for (uint32_t node = 1; node < state->node_count; node++) {
		const gpointer program = GUINT_TO_POINTER(itp_rank_program(state, node));

		is_lasting[node] = is_lasting[itp_rank_parent(state, node)] ||
				   (was_there(suspect, node) && was_there(base, node) &&
				    !g_hash_table_contains(wanted, program));
	}
	return is_lasting;
}

/* Length of all recordings together (ns). */
static double length_of(const struct itp_side *side)
{
	return itp_runs_length_ns(side->runs) * (double)side->runs->count;
}

void itp_lasting_scale(const struct itp_rank_state *state)
{
	struct itp_profile *base = state->base.profile;
	const double base_ns = length_of(&state->base);
	const double factor =
		base_ns > 0 ? length_of(&state->suspect) / base_ns / state->base_factor : 1;
	g_autofree bool *is_lasting = NULL;

	if (state->suspect.profile->workload.counts.commands == 0 ||
	    base->workload.counts.commands == 0) {
		return;
	}
	is_lasting = find_lasting(state);
	for (uint32_t node = 1; node < state->node_count; node++) {
		if (is_lasting[node] && itp_node_stats_is_present(itp_profile_peek(base, node))) {
			itp_node_stats_scale(itp_profile_node(base, node), factor);
		}
	}
}
