/* SPDX-License-Identifier: MIT */
/*
 * One pass over the tree from its leaves: a child's number is larger than its parent's.
 */
#include "common/rank/branch.h"

struct following {
	const struct itp_rank_state *state;
	const struct itp_rank_entries *entries;
	/* By node: what it and those below it have of the Δ of its entry, and the most that one of
	 * its branches has. Owned by this. */
	int64_t *part;
	int64_t *most;
	/* By node, as in branch.h. Handed to the caller. */
	uint32_t *leaf;
};

/* 1 where an entry costs more than before, −1 where it saves. */
static int sign_of(const struct following *following, uint32_t node)
{
	uint32_t number = following->entries->owner[node];
	const struct itp_rank_entry *entry;

	if (number == ITP_NO_ENTRY) {
		return 1;
	}
	entry = &g_array_index(following->entries->entries, struct itp_rank_entry, number);
	return entry->suspect_value < entry->base_value ? -1 : 1;
}

/* Leaves are sorted, those that cost most first. */
static bool is_better(const struct following *following, uint32_t parent, uint32_t node,
		      int64_t part)
{
	uint32_t known = following->leaf[parent];

	if (known == ITP_NO_LEAF || part != following->most[parent]) {
		return known == ITP_NO_LEAF || part > following->most[parent];
	}
	return sign_of(following, parent) > 0 ? following->leaf[node] < known :
						following->leaf[node] > known;
}

static void follow(struct following *following, uint32_t node)
{
	const struct itp_rank_state *state = following->state;
	const uint32_t *owner = following->entries->owner;
	uint32_t parent = itp_rank_parent(state, node);
	int64_t part;

	if (!state->is_idle[node]) {
		following->part[node] += sign_of(following, node) *
					 (state->suspect.value[node] - state->base.value[node]);
	}
	part = owner[node] == owner[parent] ? following->part[node] : 0;
	following->part[parent] += part;
	if (following->leaf[node] != ITP_NO_LEAF && is_better(following, parent, node, part)) {
		following->leaf[parent] = following->leaf[node];
		following->most[parent] = part;
	}
}

uint32_t *itp_branches_follow(const struct itp_rank_state *state,
			      const struct itp_rank_entries *entries, const GArray *leaves)
{
	struct following following = {
		.state = state,
		.entries = entries,
		.part = g_new0(int64_t, state->node_count),
		.most = g_new0(int64_t, state->node_count),
		.leaf = g_new(uint32_t, state->node_count),
	};

	for (uint32_t node = 0; node < state->node_count; node++) {
		following.leaf[node] = ITP_NO_LEAF;
	}
	for (guint i = 0; i < leaves->len; i++) {
		following.leaf[g_array_index(leaves, struct itp_rank_leaf, i).node] = i;
	}
	for (uint32_t node = state->node_count; node-- > 1;) {
		follow(&following, node);
	}
	g_free(following.part);
	g_free(following.most);
	return following.leaf;
}
