/* SPDX-License-Identifier: MIT */
/*
 * The frames that a person should open first.
 *
 * Blocked time ends in the scheduler on every path, so the hottest frame alone says little. The
 * culprit of a path is the deepest function of the program's own code below which most of what it
 * costs more lies. The search goes from the root to the leaves, from one own function to the next:
 *
 *   - to a function that has at least half of what its caller costs,
 *   - and to one that is no system library's and worth an entry of its own: in all its contexts
 *     together it costs a twentieth of the largest difference there is, and here as much as its
 *     caller by itself, or a quarter of the largest, or costs more where its caller costs less by
 *     itself, as by waiting less, which would hide it;
 *     but not below a caller that only one of two workloads has: that it was called is the
 *     difference, and explains all below it;
 *   - and from a function that the other workload never calls to none that it calls elsewhere:
 *     nap() does what it always did, when look_up() is new and calls it.
 *
 * What is left, and what lies below other functions, is the caller's own: it is the culprit there.
 * Below a function of the program's own that has a name everything else is passed over. Where the
 * program was stripped, or is just the main function of an interpreter, a function of a library of
 * the system (modules.h) or of that interpreter with a name tells as much as the program's own
 * without one; what cannot be looked up there, and everything else, is passed over below either.
 *
 * Where nearly all of what a run costs more is divided among several entries, none of them tells
 * the whole: the trunk is the last function above it before it branches.
 *
 * Candidates, what they cost, and the way down from culprit to culprit; and the way down the trunk.
 * Parents have smaller ids than their children: a pass over the ids goes from the root to the
 * leaves.
 */
#include "common/rank/steps.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "common/rank/modules.h"

/* Part of what the caller costs. */
#define MOST 0.5
/* Parts of the largest difference: worth an entry of its own, the same beside a caller that costs
 * more by itself, and not worth a search. */
#define ENTRY_LEAST 0.05
#define ENTRY_LARGE 0.25
#define SEARCH_LEAST 0.005
/* Parts of the whole difference that the trunk has below it, and of the base's time that it has
 * not. */
#define NEARLY_ALL 0.9

struct node {
	bool is_candidate;
	/* The nearest candidate above it. */
	uint32_t above;
	/* What it costs with all that is below it, and without the candidates below it. */
	int64_t cost_ns;
	int64_t self_ns;
	/* The first candidate right below it, and the next one below the same. 0: none. */
	uint32_t first_below;
	uint32_t next;
};

struct search {
	const struct itp_rank_state *state;
	/* By node. Owned by this. */
	struct node *nodes;
	/* By function: what its candidates cost that are not below another one; and in which of
	 * both workloads it was called at all, suspect first. Owned by this. */
	int64_t *function_ns;
	bool *is_called[2];
	/* The largest difference below any node. */
	double largest_ns;
};

/* How little a person can do about a function. */
enum tier {
	TIER_OWN,
	/* What begins a program says little where an interpreter runs it. */
	TIER_OWN_MAIN,
	/* Without a name of its own, or with a name, but the system's. */
	TIER_HALF_KNOWN,
	TIER_UNKNOWN,
	TIER_OTHERS,
	/* What the kernel does for others. */
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
		return function->is_unnamed || strcmp(function->name, "_start") == 0 ?
			       TIER_HALF_KNOWN :
			       TIER_OWN;
	}
	if (kind == ITP_MODULE_SYSTEM_LIBRARY || kind == ITP_MODULE_INTERPRETER) {
		return function->is_unnamed ? TIER_UNKNOWN : TIER_HALF_KNOWN;
	}
	return kind == ITP_MODULE_KERNEL ? TIER_KERNEL : TIER_OTHERS;
}

/* What no function above it is better than. Below the first function of an interpreter there is
 * none, but for the program's that has it embedded. */
static void find_candidates(struct search *search)
{
	const struct itp_rank_state *state = search->state;
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
			search->nodes[node].is_candidate = tier <= best_above;
			best[node] = MIN(tier, best_above);
		}
	}
}

/* Fills everything that does not need a decision. */
static void prepare(struct search *search)
{
	const struct itp_rank_state *state = search->state;

	find_candidates(search);
	for (uint32_t node = 1; node < state->node_count; node++) {
		uint32_t parent = itp_rank_parent(state, node);

		search->nodes[node].above =
			search->nodes[parent].is_candidate ? parent : search->nodes[parent].above;
		search->nodes[search->nodes[node].is_candidate ? node : search->nodes[node].above]
			.self_ns += itp_rank_own_delta(state, node);
	}
	for (uint32_t node = state->node_count; node-- > 1;) {
		uint32_t above = search->nodes[node].above;

		if (search->nodes[node].is_candidate) {
			search->nodes[node].cost_ns += search->nodes[node].self_ns;
			search->nodes[above].cost_ns += search->nodes[node].cost_ns;
			search->nodes[node].next = search->nodes[above].first_below;
			search->nodes[above].first_below = node;
			search->largest_ns =
				MAX(search->largest_ns, (double)llabs(search->nodes[node].cost_ns));
		}
	}
}

static bool is_outermost(const struct search *search, uint32_t node)
{
	uint32_t function = itp_rank_function_id(search->state, node);

	do {
		node = search->nodes[node].above;
	} while (node != ITP_CONTEXT_ROOT && itp_rank_function_id(search->state, node) != function);
	return node == ITP_CONTEXT_ROOT;
}

static void sum_functions(struct search *search)
{
	for (uint32_t node = 1; node < search->state->node_count; node++) {
		if (search->nodes[node].is_candidate && is_outermost(search, node)) {
			search->function_ns[itp_rank_function_id(search->state, node)] +=
				search->nodes[node].cost_ns;
		}
	}
}

static void find_called(struct search *search)
{
	const struct itp_rank_state *state = search->state;

	for (uint32_t node = 1; state->base.profile && node < state->node_count; node++) {
		uint32_t function = itp_rank_function_id(state, node);

		search->is_called[0][function] |= state->suspect.is_present[node];
		search->is_called[1][function] |= state->base.is_present[node];
	}
}

static gint compare_costs(gconstpointer a, gconstpointer b, gpointer data)
{
	const struct search *search = data;
	uint32_t left = *(const uint32_t *)a;
	uint32_t right = *(const uint32_t *)b;
	int64_t left_ns = llabs(search->nodes[left].cost_ns);
	int64_t right_ns = llabs(search->nodes[right].cost_ns);

	if (left_ns != right_ns) {
		return left_ns > right_ns ? -1 : 1;
	}
	return (left > right) - (left < right);
}

/* Not so where the whole process is: what it spends its time on is the question then. */
static bool is_in_one_workload(const struct itp_rank_state *state, uint32_t node)
{
	const bool *in_suspect = state->suspect.is_present;
	const bool *in_base = state->base.is_present;
	uint32_t process;

	if (!state->base.profile || in_suspect[node] == in_base[node]) {
		return false;
	}
	process = itp_rank_process(state, node);
	return in_suspect[process] == in_base[process];
}

/* Whether one workload calls the function of candidate `next`, though not below that of culprit
 * `node`, which it never calls. */
static bool is_known_elsewhere(const struct search *search, uint32_t node, uint32_t next)
{
	const struct itp_rank_state *state = search->state;
	const bool *is_called;

	if (state->suspect.is_present[next] == state->base.is_present[next]) {
		return false;
	}
	is_called = search->is_called[state->suspect.is_present[next]];
	return !is_called[itp_rank_function_id(state, node)] &&
	       is_called[itp_rank_function_id(state, next)];
}

/* Makes culprits of the candidates right below culprit `node` that are worth it. */
static void go_down(const struct search *search, uint32_t node, bool *is_culprit)
{
	g_autoptr(GArray) below = g_array_new(FALSE, FALSE, sizeof(uint32_t));
	double rest_ns = (double)search->nodes[node].cost_ns;
	double self_ns = fabs((double)search->nodes[node].self_ns);
	bool is_divided = !is_in_one_workload(search->state, node);

	for (uint32_t next = search->nodes[node].first_below; next != 0;
	     next = search->nodes[next].next) {
		g_array_append_val(below, next);
	}
	g_array_sort_with_data(below, compare_costs, (gpointer)search);
	for (guint i = 0; i < below->len; i++) {
		uint32_t next = g_array_index(below, uint32_t, i);
		double cost_ns = fabs((double)search->nodes[next].cost_ns);
		bool is_most = cost_ns >= MOST * fabs(rest_ns) &&
			       cost_ns >= SEARCH_LEAST * search->largest_ns &&
			       (is_divided || !is_known_elsewhere(search, node, next));
		double function_ns = fabs(
			(double)search->function_ns[itp_rank_function_id(search->state, next)]);
		bool is_hidden = search->nodes[next].cost_ns > 0 && search->nodes[node].self_ns < 0;
		bool is_large = is_hidden || cost_ns >= self_ns ||
				cost_ns >= ENTRY_LARGE * search->largest_ns;
		bool is_own = itp_rank_kind(search->state, next) != ITP_MODULE_SYSTEM_LIBRARY;
		bool is_worth_it = is_divided && is_own && is_large &&
				   function_ns >= ENTRY_LEAST * search->largest_ns;

		if (is_most || is_worth_it || node == ITP_CONTEXT_ROOT) {
			is_culprit[next] = true;
			rest_ns -= (double)search->nodes[next].cost_ns;
		}
	}
}

uint32_t *itp_culprits_find(const struct itp_rank_state *state)
{
	struct search search = {
		.state = state,
		.nodes = g_new0(struct node, state->node_count),
		.function_ns = g_new0(int64_t, itp_function_table_size(state->functions)),
		.is_called = { g_new0(bool, itp_function_table_size(state->functions)),
			       g_new0(bool, itp_function_table_size(state->functions)) },
	};
	g_autofree bool *is_culprit = g_new0(bool, state->node_count);
	uint32_t *culprits = g_new0(uint32_t, state->node_count);

	prepare(&search);
	sum_functions(&search);
	find_called(&search);
	go_down(&search, ITP_CONTEXT_ROOT, is_culprit);
	for (uint32_t node = 1; node < state->node_count; node++) {
		if (is_culprit[node]) {
			go_down(&search, node, is_culprit);
		}
		culprits[node] = is_culprit[node] ? node : culprits[itp_rank_parent(state, node)];
	}
	g_free(search.nodes);
	g_free(search.function_ns);
	g_free(search.is_called[0]);
	g_free(search.is_called[1]);
	return culprits;
}

/* ---- The trunk ---- */

/* By node: what it and all below it have of a profile. Free with g_free(). */
static int64_t *totals_of(const struct itp_rank_state *state, const struct itp_profile *profile)
{
	int64_t *total = g_new0(int64_t, state->node_count);

	for (uint32_t node = state->node_count; node-- > 1;) {
		if (itp_rank_is_frame(state, node) && !state->is_idle[node]) {
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

/* By node: the child that most of the difference lies below; 0 for none. Free with g_free(). */
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
