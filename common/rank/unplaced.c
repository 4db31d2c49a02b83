/* SPDX-License-Identifier: MIT */
/*
 * See unplaced.h.
 */
#include "common/rank/unplaced.h"

#include <math.h>
#include <string.h>

#include "common/base/hash.h"

/* Differences of a function (ns), in its places and below unknown callers. */
struct parts {
	double placed_ns;
	double unplaced_ns;
};

/* True for each node below unknown callers. Free with g_free(); NULL without any. */
static bool *find_unplaced(const struct itp_rank_state *state)
{
	g_autofree bool *is_unplaced = g_new0(bool, state->node_count);
	bool is_any = false;

	for (uint32_t node = 1; node < state->node_count; node++) {
		is_unplaced[node] =
			is_unplaced[itp_rank_parent(state, node)] ||
			strcmp(itp_rank_function(state, node)->name, ITP_UNKNOWN_CALLERS_NAME) == 0;
		is_any |= is_unplaced[node];
	}
	return is_any ? g_steal_pointer(&is_unplaced) : NULL;
}

static void add_node(struct parts *parts, const struct itp_rank_state *state,
		     const bool *is_unplaced, uint32_t node)
{
	const double delta_ns = (double)itp_rank_own_delta(state, node);

	*(is_unplaced[node] ? &parts->unplaced_ns : &parts->placed_ns) += delta_ns;
}

/* Differences by function, of all nodes. Free with g_free(). */
static struct parts *sum_functions(const struct itp_rank_state *state, const bool *is_unplaced)
{
	struct parts *sums = g_new0(struct parts, itp_function_table_size(state->functions));

	for (uint32_t node = 1; node < state->node_count; node++) {
		if (itp_rank_is_frame(state, node)) {
			add_node(&sums[itp_rank_function_id(state, node)], state, is_unplaced,
				 node);
		}
	}
	return sums;
}

/* Differences by group and function (itp_pair()), of the groups' nodes. */
static GHashTable *sum_groups(const struct itp_rank_state *state, const bool *is_unplaced,
			      const GArray *members)
{
	GHashTable *sums = g_hash_table_new_full(itp_hash_number, NULL, NULL, g_free);

	for (guint i = 0; i < members->len; i++) {
		const struct itp_member *member = &g_array_index(members, struct itp_member, i);
		const gpointer key =
			itp_pair(member->group, itp_rank_function_id(state, member->node));

		add_node(itp_value_at(sums, key, sizeof(struct parts)), state, is_unplaced,
			 member->node);
	}
	return sums;
}

/* Time (ns) that is more here and less there, in the direction of `sign`. */
static double moved_ns(double here_ns, double there_ns, double sign)
{
	return MAX(MIN(here_ns * sign, -there_ns * sign), 0);
}

void itp_unplaced_find(const struct itp_rank_state *state, const GArray *members,
		       size_t group_count, struct itp_evidence *evidence)
{
	g_autofree bool *is_unplaced = find_unplaced(state);
	g_autofree struct parts *all = is_unplaced ? sum_functions(state, is_unplaced) : NULL;
	g_autoptr(GHashTable) groups = is_unplaced ? sum_groups(state, is_unplaced, members) : NULL;
	GHashTableIter iter;
	gpointer key;
	gpointer value;

	if (!is_unplaced) {
		return;
	}
	g_hash_table_iter_init(&iter, groups);
	while (g_hash_table_iter_next(&iter, &key, &value)) {
		const struct parts *parts = value;
		const struct parts *sum = &all[itp_pair_low(key)];
		struct itp_evidence *of = &evidence[itp_pair_high(key)];
		const double sign = of->suspect.value_ns < of->base.value_ns ? -1 : 1;

		of->unplaced_ns +=
			moved_ns(parts->placed_ns, sum->unplaced_ns - parts->unplaced_ns, sign) +
			moved_ns(parts->unplaced_ns, sum->placed_ns - parts->placed_ns, sign);
	}
	for (size_t i = 0; i < group_count; i++) {
		evidence[i].unplaced_ns =
			MIN(evidence[i].unplaced_ns,
			    fabs(evidence[i].suspect.value_ns - evidence[i].base.value_ns));
	}
}
