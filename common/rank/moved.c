/* SPDX-License-Identifier: MIT */
/*
 * Matching, and the transfer of a base's subtree.
 */
#include "common/rank/moved.h"

#include "common/base/hash.h"
#include "common/rank/modules.h"

/* Contexts that cost less than this part of the whole are left where they are. */
#define PART_LEAST 0.005

/* A context that only one workload has been in. */
struct lone {
	uint32_t node;
	int64_t total_ns;
	/* Both have been in its caller. */
	bool is_topmost;
};

/* One function that was in two places: in the base here, in the suspect there. */
struct pair {
	struct lone from;
	struct lone to;
};

static bool is_present(const struct itp_profile *profile, uint32_t node)
{
	const struct itp_node_stats *stats = itp_profile_peek(profile, node);

	return itp_node_stats_is_present(stats);
}

/* What `profile` alone has, costly enough: struct lone. */
static GArray *find_lone(const struct itp_rank_state *state, const struct itp_profile *profile,
			 const struct itp_profile *other)
{
	GArray *found = g_array_new(FALSE, FALSE, sizeof(struct lone));
	int64_t least_ns = (int64_t)(PART_LEAST * (double)itp_rank_own_ns(state, profile));

	for (uint32_t node = 1; node < state->node_count; node++) {
		struct lone lone = { .node = node,
				     .total_ns = itp_profile_peek(profile, node)->total_ns };

		if (!itp_rank_is_frame(state, node) || state->is_idle[node] ||
		    lone.total_ns < MAX(least_ns, 1) || !is_present(profile, node) ||
		    is_present(other, node)) {
			continue;
		}
		lone.is_topmost = is_present(other, itp_rank_parent(state, node));
		if (itp_module_kind_is_own(itp_rank_kind(state, node))) {
			g_array_append_val(found, lone);
		}
	}
	return found;
}

static bool are_same(const struct itp_rank_state *state, uint32_t a, uint32_t b)
{
	const struct itp_context *left = itp_context_tree_get(state->tree, a);
	const struct itp_context *right = itp_context_tree_get(state->tree, b);

	return left->function == right->function &&
	       itp_rank_process(state, a) == itp_rank_process(state, b);
}

static gint compare_pairs(gconstpointer a, gconstpointer b, gpointer state)
{
	const struct pair *left = a;
	const struct pair *right = b;
	int64_t left_ns = MIN(left->from.total_ns, left->to.total_ns);
	int64_t right_ns = MIN(right->from.total_ns, right->to.total_ns);

	if (left_ns != right_ns) {
		return left_ns > right_ns ? -1 : 1;
	}
	if (left->to.node != right->to.node) {
		return itp_rank_compare_paths(state, left->to.node, right->to.node);
	}
	return itp_rank_compare_paths(state, left->from.node, right->from.node);
}

/* All that may be the same, costliest first: struct pair. */
static GArray *find_pairs(const struct itp_rank_state *state, const GArray *gone,
			  const GArray *come)
{
	GArray *pairs = g_array_new(FALSE, FALSE, sizeof(struct pair));

	for (guint i = 0; i < gone->len; i++) {
		for (guint k = 0; k < come->len; k++) {
			const struct pair pair = { .from = g_array_index(gone, struct lone, i),
						   .to = g_array_index(come, struct lone, k) };

			if ((pair.from.is_topmost || pair.to.is_topmost) &&
			    are_same(state, pair.from.node, pair.to.node)) {
				g_array_append_val(pairs, pair);
			}
		}
	}
	g_array_sort_with_data(pairs, compare_pairs, (gpointer)state);
	return pairs;
}

static bool is_at_or_below(const struct itp_rank_state *state, uint32_t node, uint32_t above)
{
	while (node > above) {
		node = itp_rank_parent(state, node);
	}
	return node == above;
}

/* Takes the base's statistics, latencies and slowest calls of the subtree of `from` to the same
 * functions below `to`. */
static void transfer(const struct itp_rank_state *state, struct itp_profile *base, uint32_t from,
		     uint32_t to, GHashTable *children)
{
	g_autofree uint32_t *place = g_new0(uint32_t, state->node_count);

	place[from] = to;
	for (uint32_t node = from; node < state->node_count; node++) {
		uint32_t parent_place = place[itp_rank_parent(state, node)];
		struct itp_node_stats *stats;

		if (node != from && parent_place != ITP_CONTEXT_ROOT) {
			uint32_t function = itp_context_tree_get(state->tree, node)->function;

			place[node] = GPOINTER_TO_UINT(
				g_hash_table_lookup(children, itp_pair(parent_place, function)));
		}
		if (place[node] != ITP_CONTEXT_ROOT) {
			struct itp_node_stats moved = *itp_profile_peek(base, node);

			stats = itp_profile_node(base, node);
			*stats = (struct itp_node_stats){ .count = 0 };
			itp_node_stats_merge(itp_profile_node(base, place[node]), &moved);
			itp_slowest_add_node(base->slowest, place[node], base->slowest, node);
			itp_latencies_move_node(base->latencies, place[node], node);
		}
	}
}

/* Pair of parent and function → node. */
static GHashTable *index_children(const struct itp_rank_state *state)
{
	GHashTable *children = g_hash_table_new(itp_hash_number, NULL);

	for (uint32_t node = 1; node < state->node_count; node++) {
		uint32_t function = itp_context_tree_get(state->tree, node)->function;

		g_hash_table_insert(children, itp_pair(itp_rank_parent(state, node), function),
				    GUINT_TO_POINTER(node));
	}
	return children;
}

/* Whether `pair` has nothing to do with those that were moved already. */
static bool is_free(const struct itp_rank_state *state, const GArray *pairs, const bool *is_moved,
		    const struct pair *pair)
{
	for (guint i = 0; i < pairs->len; i++) {
		const struct pair *other = &g_array_index(pairs, struct pair, i);

		if (is_moved[i] && (is_at_or_below(state, pair->from.node, other->from.node) ||
				    is_at_or_below(state, pair->to.node, other->to.node) ||
				    is_at_or_below(state, other->from.node, pair->from.node) ||
				    is_at_or_below(state, other->to.node, pair->to.node))) {
			return false;
		}
	}
	return true;
}

uint32_t *itp_moved_find(const struct itp_rank_state *state, const struct itp_profile *suspect,
			 struct itp_profile *base)
{
	uint32_t *moved_from = g_new0(uint32_t, state->node_count);
	g_autoptr(GArray) gone = find_lone(state, base, suspect);
	g_autoptr(GArray) come = find_lone(state, suspect, base);
	g_autoptr(GArray) pairs = find_pairs(state, gone, come);
	g_autofree bool *is_moved = g_new0(bool, pairs->len + 1);
	g_autoptr(GHashTable) children = NULL;

	for (guint i = 0; i < pairs->len; i++) {
		const struct pair *pair = &g_array_index(pairs, struct pair, i);

		if (is_free(state, pairs, is_moved, pair)) {
			children = children ? children : index_children(state);
			transfer(state, base, pair->from.node, pair->to.node, children);
			moved_from[pair->to.node] = pair->from.node;
			is_moved[i] = true;
		}
	}
	return moved_from;
}
