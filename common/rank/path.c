/* SPDX-License-Identifier: MIT */
/*
 * Ranked paths frame by frame: only kept paths are ever written out. The paths of all entries are
 * found in a single pass over the tree from its leaves: a child's number is larger than its
 * parent's.
 */
#include "common/rank/path.h"

#include <math.h>
#include <stdlib.h>

#include "common/base/order.h"

/* Largest difference of numbers of calls that are the same, as a part of the base's. */
#define SAME_MOST 0.05
/* Divisor of a path's cost: an origin of more calls has less than a 2nd of it above. */
#define ABOVE_PART 2

/* ---- Paths of entries ---- */

struct following {
	const struct itp_rank_state *state;
	const struct itp_rank_entries *entries;
	/* Parts of the entry's Δ by node: with all nodes below, and the largest part of a single
	 * branch. Owned by this. */
	int64_t *part;
	int64_t *most;
	/* Leaves by node, as in path.h. Handed to the caller. */
	uint32_t *leaf;
};

/* 1 for an entry that costs more than before, −1 for a saving. */
static int sign_of(const struct following *following, uint32_t node)
{
	uint32_t number = following->entries->owner[node];
	const struct itp_rank_entry *entry;

	if (number == ITP_NO_ENTRY) {
		return 1;
	}
	entry = itp_rank_entry_at(following->entries->entries, number);
	return entry->suspect_value < entry->base_value ? -1 : 1;
}

/* True if the branch `node` replaces the present one. Leaves are sorted, the dearest first. */
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

	if (!itp_rank_is_apart(state, node)) {
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

/* ---- Origin of more calls ---- */

enum growth {
	GROWTH_UNKNOWN,
	/* About as many in both. */
	GROWTH_NONE,
	GROWTH_MORE,
	GROWTH_NEW,
};

static enum growth growth_of(const struct itp_rank_state *state, uint32_t node)
{
	struct itp_call_bounds suspect = itp_side_calls(state, &state->suspect, node);
	struct itp_call_bounds base = itp_side_calls(state, &state->base, node);
	uint64_t suspect_calls;
	uint64_t base_calls;

	if (!state->base.is_present[node]) {
		return GROWTH_NEW;
	}
	if (!itp_calls_compare(suspect, base, &suspect_calls, &base_calls)) {
		return GROWTH_UNKNOWN;
	}
	if (fabs((double)suspect_calls - (double)base_calls) <= SAME_MOST * (double)base_calls) {
		return GROWTH_NONE;
	}
	return suspect_calls > base_calls ? GROWTH_MORE : GROWTH_UNKNOWN;
}

/* The kernel's choice of a way explains nothing. */
static enum growth growth_at(const struct itp_rank_state *state,
			     const struct itp_ranked_frame *frame)
{
	return itp_rank_function(state, frame->node)->layer == ITP_LAYER_KERNEL ?
		       GROWTH_UNKNOWN :
		       growth_of(state, frame->node);
}

/* Origin of more calls: a function that costs more by more calls is often far below the function
 * with the reason. Returns the index of the deepest frame that is not known to be called more often
 * than in the base, and below which calls grow for certain, and most of the path's cost with them:
 * the caller of the first new function, or the last frame with as many calls in both workloads
 * above the first with more. −1 if calls do not grow, or nobody knows where. */
static int32_t find_origin(const struct itp_rank_state *state,
			   const struct itp_ranked_frame *frames, uint32_t count)
{
	int64_t whole = 0;
	int64_t above = 0;
	int32_t caller = -1;
	int32_t last_known = -1;

	for (uint32_t i = 0; i < count; i++) {
		whole += frames[i].value - frames[i].base_value;
	}
	for (uint32_t i = 0; i < count; i++) {
		enum growth growth = growth_at(state, &frames[i]);

		if (growth == GROWTH_NEW || growth == GROWTH_MORE) {
			/* Most of the cost lies here and below. */
			return ABOVE_PART * above < whole ?
				       (growth == GROWTH_NEW ? caller : last_known) :
				       -1;
		}
		above += frames[i].value - frames[i].base_value;
		caller = (int32_t)i;
		if (growth == GROWTH_NONE) {
			last_known = (int32_t)i;
		}
	}
	return -1;
}

/* ---- Frame by frame ---- */

/* A frame and its share of the difference. */
struct shared {
	uint32_t frame;
	int64_t share;
};

static int compare_shares(const void *a, const void *b)
{
	const struct shared *left = a;
	const struct shared *right = b;

	return ITP_ORDER(right->share, left->share) ?: ITP_ORDER(left->frame, right->frame);
}

/* Bounds in Algorithm 3, in which every count is exact. */
static struct itp_call_bounds exact(struct itp_call_bounds calls)
{
	return (struct itp_call_bounds){ .seen = calls.seen, .possible = calls.seen };
}

static void add_delta(const struct itp_rank_state *state, struct itp_delta *delta,
		      const struct itp_ranked_frame *frame)
{
	struct itp_call_bounds suspect_calls = itp_side_calls(state, &state->suspect, frame->node);
	struct itp_call_bounds base_calls = itp_side_calls(state, &state->base, frame->node);

	itp_time_use_add(&delta->use, &frame->suspect->own_use, 1);
	if (frame->base) {
		itp_time_use_add(&delta->use, &frame->base->own_use, -1);
	}
	if (itp_rank_is_paper(state)) {
		suspect_calls = exact(suspect_calls);
		base_calls = exact(base_calls);
	}
	itp_calls_split(delta, frame->suspect->own_ns, frame->base ? frame->base->own_ns : 0,
			suspect_calls, base_calls);
}

static void rank_frames(const struct itp_rank_state *state, struct itp_ranked_path *path)
{
	g_autofree struct shared *order = g_new(struct shared, path->frame_count);

	for (uint32_t i = 0; i < path->frame_count; i++) {
		const struct itp_ranked_frame *frame = &path->frames[i];

		order[i] = (struct shared){
			i, frame->value - (itp_rank_is_paper(state) ? 0 : frame->base_value)
		};
	}
	if (path->frame_count > 0) {
		qsort(order, path->frame_count, sizeof(order[0]), compare_shares);
	}
	for (uint32_t i = 0; i < path->frame_count; i++) {
		path->frames[order[i].frame].rank = i + 1;
	}
}

/* False for functions of the kernel and of runtimes: people do not look there first. */
static bool is_to_be_opened(const struct itp_rank_state *state, uint32_t node)
{
	return itp_rank_kind(state, node) < ITP_MODULE_RUNTIME;
}

/* Frames from the leaf up, the culprit's index among them. */
static void fill_frames(const struct itp_rank_state *state, struct itp_ranked_path *path,
			uint32_t leaf, uint32_t culprit)
{
	const struct itp_profile *base = state->base.profile;
	bool has_base = base && (!itp_rank_is_paper(state) || state->base.is_leaf[leaf]);
	uint32_t node = leaf;

	path->culprit = -1;
	path->frame_count = itp_context_tree_get(state->tree, node)->depth - 1;
	path->frames = g_new0(struct itp_ranked_frame, path->frame_count);
	for (uint32_t i = path->frame_count; i-- > 0; node = itp_rank_parent(state, node)) {
		struct itp_ranked_frame *frame = &path->frames[i];

		frame->node = node;
		frame->function = itp_rank_function_id(state, node);
		frame->value = state->suspect.value[node];
		frame->base_value = has_base ? state->base.value[node] : 0;
		frame->suspect = itp_side_stats(&state->suspect, node);
		frame->base = base ? itp_profile_peek(base, node) : NULL;
		if (node == culprit && is_to_be_opened(state, node)) {
			path->culprit = (int32_t)i;
		}
	}
}

/* Sets novelty of the path. `face` is the node that is new, or has vanished, or neither. */
static void find_novelty(const struct itp_rank_state *state, const uint32_t *moved_from,
			 struct itp_ranked_path *path, uint32_t leaf, uint32_t face)
{
	if (!state->base.profile) {
		return;
	}
	if (!state->base.is_present[face]) {
		path->novelty = ITP_NOVELTY_NEW;
	} else if (!state->suspect.is_present[face]) {
		path->novelty = ITP_NOVELTY_VANISHED;
	}
	for (uint32_t node = leaf; itp_rank_is_frame(state, node);
	     node = itp_rank_parent(state, node)) {
		if (moved_from && moved_from[node] != ITP_CONTEXT_ROOT) {
			path->novelty = ITP_NOVELTY_MOVED;
			path->moved_from = moved_from[node];
		}
	}
}

static void set_calls(struct itp_ranked_path *path, struct itp_call_bounds suspect,
		      struct itp_call_bounds base)
{
	path->suspect_calls = suspect.seen;
	path->suspect_unseen = itp_calls_unseen(suspect);
	path->base_calls = base.seen;
	path->base_unseen = itp_calls_unseen(base);
}

/* Fills a path that stands for itself. */
static void fill_alone(const struct itp_rank_state *state, struct itp_ranked_path *path)
{
	for (uint32_t i = 0; i < path->frame_count; i++) {
		add_delta(state, &path->delta, &path->frames[i]);
	}
	if (path->culprit >= 0) {
		uint32_t node = path->frames[path->culprit].node;

		set_calls(path, itp_side_calls(state, &state->suspect, node),
			  itp_side_calls(state, &state->base, node));
	}
}

static void fill_entry(struct itp_ranked_path *path, const struct itp_rank_entry *entry)
{
	path->delta = entry->delta;
	set_calls(path, entry->suspect_calls, entry->base_calls);
	path->variant_count = entry->variants->len;
	path->variants =
		g_memdup2(entry->variants->data, entry->variants->len * sizeof(struct itp_variant));
}

static void find_wakers(const struct itp_rank_state *state, struct itp_ranked_path *path,
			const struct itp_rank_entry *entry)
{
	for (size_t role = 0; role < ITP_WAKER_ROLE_COUNT; role++) {
		path->waited_for[role] = itp_wakers_of_nodes(
			state->suspect.profile->wakers, (enum itp_waker_role)role,
			(const uint32_t *)entry->woken->data, entry->woken->len, state->functions);
	}
}

struct itp_ranked_path itp_ranked_path_make(const struct itp_rank_state *state,
					    const struct itp_rank_leaf *leaf,
					    const struct itp_rank_entry *entry,
					    const uint32_t *moved_from, uint32_t rank)
{
	struct itp_ranked_path path = {
		.rank = rank,
		.suspect_value = entry->suspect_value,
		.base_value = entry->base_value,
		.cost = entry->suspect_value - entry->base_value,
		.ranked_value = entry->weight,
		.path_cost = leaf->cost,
		.ticks = entry->ticks,
		.process = itp_rank_program(state, leaf->node),
		.path_count = entry->path_count,
		.significance = entry->significance,
		.is_rare = entry->is_rare,
		.waits_for = entry->cause == ITP_NO_ENTRY ? 0 : entry->cause + 1,
		.is_waited_for = entry->is_waited_for,
		.cost_function = entry->cost_function,
		.syscall = entry->syscall,
		.often = entry->often,
		.started = g_array_ref(entry->started),
	};

	fill_frames(state, &path, leaf->node, entry->culprit);
	if (entry->variants->len > 0) {
		fill_entry(&path, entry);
	} else {
		fill_alone(state, &path);
	}
	find_wakers(state, &path, entry);
	find_novelty(state, moved_from, &path, leaf->node,
		     entry->variants->len > 0 ? entry->culprit : leaf->node);
	rank_frames(state, &path);
	path.origin = -1;
	if (state->base.profile && !itp_rank_is_paper(state) && path.cost > 0) {
		path.origin = find_origin(state, path.frames, path.frame_count);
	}
	return path;
}

void itp_ranked_path_clear(gpointer data)
{
	struct itp_ranked_path *path = data;

	g_free(path->frames);
	g_free(path->variants);
	for (size_t role = 0; role < ITP_WAKER_ROLE_COUNT; role++) {
		g_array_unref(path->waited_for[role]);
	}
	g_array_unref(path->started);
}
