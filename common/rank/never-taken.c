/* SPDX-License-Identifier: MIT */
/*
 * See never-taken.h. Parents have smaller ids than their children, so a single pass over the nodes
 * knows the own functions above each.
 */
#include "common/rank/never-taken.h"

#include <string.h>

#include "common/base/hash.h"
#include "common/known/syscalls.h"

/* The own functions above a node, ITP_FUNCTION_UNKNOWN for none. */
struct way {
	uint32_t last;
	uint32_t before;
};

/* Contents of a workload. */
struct shown {
	/* Functions present, by function. Owned by this. */
	bool *functions;
	/* Pairs (itp_pair()) of an edge's number, an edge being two own functions in a row, and a
	 * system call. Owned by this. */
	GHashTable *calls;
	/* System calls in stacks that were cut, by function: any way may have led there. Owned by
	 * this. */
	bool *cut_calls;
};

struct search {
	const struct itp_rank_state *state;
	/* Ways by node; and true for stacks that were cut, of which nobody knows the way. Owned by
	 * this. */
	struct way *ways;
	bool *is_cut;
	/* Number of each pair of own functions, from 1. Owned by this. */
	GHashTable *edges;
	/* Build ids in each workload, suspect first (const char *, weak). Owned by this. */
	GHashTable *builds[2];
};

static void find_builds(struct search *search)
{
	const struct itp_rank_state *state = search->state;

	for (uint32_t node = 1; node < state->node_count; node++) {
		const char *build_id = itp_rank_function(state, node)->build_id;

		if (state->suspect.is_present[node]) {
			g_hash_table_add(search->builds[0], (gpointer)build_id);
		}
		if (state->base.is_present[node]) {
			g_hash_table_add(search->builds[1], (gpointer)build_id);
		}
	}
}

/* False for a function without a name, unless both workloads have its build: it is known by its
 * place in the file, which differs between builds. */
static bool is_known_again(const struct search *search, const struct itp_function *function)
{
	return !function->is_unnamed ||
	       (g_hash_table_contains(search->builds[0], function->build_id) &&
		g_hash_table_contains(search->builds[1], function->build_id));
}

static bool is_own(const struct search *search, uint32_t node)
{
	const struct itp_function *function = itp_rank_function(search->state, node);

	return function->layer == ITP_LAYER_USER && !itp_function_is_in_no_file(function) &&
	       itp_module_kind_is_own(itp_rank_kind(search->state, node)) &&
	       is_known_again(search, function);
}

static void find_ways(struct search *search)
{
	const struct itp_rank_state *state = search->state;

	for (uint32_t node = 1; node < state->node_count; node++) {
		struct way way = search->ways[itp_rank_parent(state, node)];

		search->is_cut[node] =
			search->is_cut[itp_rank_parent(state, node)] ||
			strcmp(itp_rank_function(state, node)->name, ITP_UNKNOWN_CALLERS_NAME) == 0;
		if (itp_rank_is_frame(state, node) && is_own(search, node)) {
			way.before = way.last;
			way.last = itp_rank_function_id(state, node);
		}
		search->ways[node] = way;
	}
}

static bool is_call(const struct itp_rank_state *state, uint32_t node)
{
	return itp_rank_function(state, node)->layer == ITP_LAYER_SYSCALL;
}

static gpointer key_of(struct search *search, uint32_t node)
{
	const struct way *way = &search->ways[node];
	gpointer edge = itp_pair(way->before, way->last);
	gpointer number = g_hash_table_lookup(search->edges, edge);

	if (!number) {
		number = GUINT_TO_POINTER(g_hash_table_size(search->edges) + 1);
		g_hash_table_insert(search->edges, edge, number);
	}
	return itp_pair(GPOINTER_TO_UINT(number), itp_rank_function_id(search->state, node));
}

static struct shown shown_by(struct search *search, const struct itp_profile *profile)
{
	const struct itp_rank_state *state = search->state;
	struct shown shown = {
		.functions = g_new0(bool, itp_function_table_size(state->functions)),
		.calls = g_hash_table_new(itp_hash_number, NULL),
		.cut_calls = g_new0(bool, itp_function_table_size(state->functions)),
	};

	for (uint32_t node = 1; node < state->node_count; node++) {
		if (itp_node_stats_is_present(itp_profile_peek(profile, node))) {
			shown.functions[itp_rank_function_id(state, node)] = true;
			if (is_call(state, node)) {
				g_hash_table_add(shown.calls, key_of(search, node));
				shown.cut_calls[itp_rank_function_id(state, node)] |=
					search->is_cut[node];
			}
		}
	}
	return shown;
}

static void release_shown(struct shown *shown)
{
	g_free(shown->functions);
	g_free(shown->cut_calls);
	g_hash_table_unref(shown->calls);
}

/* True if `shown` lacks an own function on the way to `node`. */
static bool has_other_function(const struct search *search, const struct shown *shown,
			       uint32_t node)
{
	for (; itp_rank_is_frame(search->state, node);
	     node = itp_rank_parent(search->state, node)) {
		if (is_own(search, node) &&
		    !shown->functions[itp_rank_function_id(search->state, node)]) {
			return true;
		}
	}
	return false;
}

static bool is_taken_by_one(struct search *search, const struct shown *shown, uint32_t node)
{
	const char *call = itp_function_syscall(itp_rank_function(search->state, node));

	if (!call || itp_syscall_is_by_chance(call) ||
	    search->ways[node].last == ITP_FUNCTION_UNKNOWN || search->is_cut[node] ||
	    shown->cut_calls[itp_rank_function_id(search->state, node)]) {
		return false;
	}
	return has_other_function(search, shown, node) ||
	       !g_hash_table_contains(shown->calls, key_of(search, node));
}

/* True if the profile has each system call: nothing was lost, and each was counted. */
static bool tells_all(const struct itp_rank_state *state, const struct itp_profile *profile)
{
	const struct itp_infer_counts *counts = &profile->workload.counts;

	for (uint32_t node = 1; node < state->node_count; node++) {
		if (is_call(state, node) && itp_profile_peek(profile, node)->counted_count > 0) {
			return counts->losses == 0 && counts->lost_events == 0;
		}
	}
	return false;
}

/* Marks paths of `profile` that `other` never took, if `other` has each system call. */
static void find_of(struct search *search, const struct itp_profile *profile,
		    const struct itp_profile *other, bool *is_found)
{
	const struct itp_rank_state *state = search->state;
	struct shown shown;

	if (!tells_all(state, other)) {
		return;
	}
	shown = shown_by(search, other);
	for (uint32_t node = 1; node < state->node_count; node++) {
		is_found[node] |= is_found[itp_rank_parent(state, node)];
		if (is_call(state, node) && itp_profile_peek(profile, node)->counted_count > 0) {
			is_found[node] |= is_taken_by_one(search, &shown, node);
		}
	}
	release_shown(&shown);
}

bool *itp_never_taken_find(const struct itp_rank_state *state)
{
	struct search search = {
		.state = state,
		.ways = g_new0(struct way, state->node_count),
		.is_cut = g_new0(bool, state->node_count),
		.edges = g_hash_table_new(itp_hash_number, NULL),
		.builds = { g_hash_table_new(itp_hash_text, g_str_equal),
			    g_hash_table_new(itp_hash_text, g_str_equal) },
	};
	bool *is_found = g_new0(bool, state->node_count);

	find_builds(&search);
	find_ways(&search);
	find_of(&search, state->suspect.profile, state->base.profile, is_found);
	find_of(&search, state->base.profile, state->suspect.profile, is_found);
	g_hash_table_unref(search.builds[0]);
	g_hash_table_unref(search.builds[1]);
	g_hash_table_unref(search.edges);
	g_free(search.ways);
	g_free(search.is_cut);
	return is_found;
}
