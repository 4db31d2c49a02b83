/* SPDX-License-Identifier: MIT */
/*
 * Culprits: the frames that a person should open first.
 *
 * Blocked time ends in the scheduler on every path, so the hottest frame alone says little. The
 * culprit of a path is the deepest function of the program's own code with most of the path's extra
 * cost below it. The search goes from the root to the leaves, from an own function to the next:
 *
 *   - to a function that has at least half of its caller's cost: in one context, or else in all
 *     contexts below the caller together (gathered.c);
 *   - and to a function outside of the system's libraries that is worth an entry of its own: in all
 *     its contexts together it costs a twentieth of the largest difference, and here as much as its
 *     caller by itself, or a quarter of the largest difference, or costs more while its caller by
 *     itself costs less and would hide it, as by waiting less;
 *     but not below a caller that only one of two workloads has: the call of this caller is the
 *     difference, and explains all below it;
 *   - and from a function that the other workload never calls to none that it calls elsewhere:
 *     nap() does its old work, while look_up() is new and calls it.
 *
 * The rest, and all that lies below other functions, is the caller's own: the caller is the culprit
 * there. Below a function of the program's own with a name everything else is passed over. If the
 * program was stripped, or is just the main function of an interpreter, a named function of a
 * system's library (modules.h) or of the interpreter tells as much as the program's own function
 * without a name; everything else, and functions that cannot be looked up there, are passed over
 * below either.
 */
#include "common/rank/steps.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "common/base/order.h"
#include "common/known/modules.h"
#include "common/rank/candidates.h"

/* Least part of the caller's cost. */
#define MOST 0.5
/* Parts of the largest difference: worth an entry of its own, worth it beside a caller that costs
 * more by itself, and least cost worth a search. */
#define ENTRY_LEAST 0.05
#define ENTRY_LARGE 0.25
#define SEARCH_LEAST 0.005

struct search {
	const struct itp_rank_state *state;
	/* Owned by this. */
	struct itp_candidates *candidates;
	/* Costs of outermost candidates, by function. Owned by this. */
	int64_t *function_ns;
};

static bool is_outermost(const struct search *search, uint32_t node)
{
	uint32_t function = itp_rank_function_id(search->state, node);

	do {
		node = search->candidates->nodes[node].above;
	} while (node != ITP_CONTEXT_ROOT && itp_rank_function_id(search->state, node) != function);
	return node == ITP_CONTEXT_ROOT;
}

static void sum_functions(struct search *search)
{
	size_t size = itp_function_table_size(search->state->functions);

	memset(search->function_ns, 0, size * sizeof(*search->function_ns));
	for (uint32_t node = 1; node < search->state->node_count; node++) {
		const struct itp_candidate *candidate = &search->candidates->nodes[node];

		if (candidate->is_candidate && is_outermost(search, node)) {
			search->function_ns[itp_rank_function_id(search->state, node)] +=
				candidate->cost_ns;
		}
	}
}

static gint compare_costs(gconstpointer a, gconstpointer b, gpointer data)
{
	const struct search *search = data;
	uint32_t left = *(const uint32_t *)a;
	uint32_t right = *(const uint32_t *)b;
	int64_t left_ns = llabs(search->candidates->nodes[left].cost_ns);
	int64_t right_ns = llabs(search->candidates->nodes[right].cost_ns);

	return ITP_ORDER(right_ns, left_ns) ?: ITP_ORDER(left, right);
}

/* False if the whole process is in one workload: then the question is its use of time. */
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

/* True if the workload without candidate `next` calls the function of `next` elsewhere, and never
 * calls the function of culprit `node`. */
static bool is_known_elsewhere(const struct search *search, uint32_t node, uint32_t next)
{
	const struct itp_rank_state *state = search->state;
	const bool *is_called;

	if (state->suspect.is_present[next] == state->base.is_present[next]) {
		return false;
	}
	is_called = search->candidates->is_called[state->suspect.is_present[next]];
	return !is_called[itp_rank_function_id(state, node)] &&
	       is_called[itp_rank_function_id(state, next)];
}

/* True if candidate `next`, right below culprit `node`, has most of `rest_ns`. */
static bool is_most(const struct search *search, uint32_t node, uint32_t next, double rest_ns)
{
	double cost_ns = fabs((double)search->candidates->nodes[next].cost_ns);

	return cost_ns >= MOST * fabs(rest_ns) &&
	       cost_ns >= SEARCH_LEAST * search->candidates->largest_ns &&
	       (!is_in_one_workload(search->state, node) ||
		!is_known_elsewhere(search, node, next));
}

/* True if `next` is worth an entry beside the rest of the cost of `node`. */
static bool is_worth_it(const struct search *search, uint32_t node, uint32_t next)
{
	const struct itp_candidate *nodes = search->candidates->nodes;
	double largest_ns = search->candidates->largest_ns;
	double cost_ns = fabs((double)nodes[next].cost_ns);
	double function_ns =
		fabs((double)search->function_ns[itp_rank_function_id(search->state, next)]);
	bool is_hidden = nodes[next].cost_ns > 0 && nodes[node].self_ns < 0;

	return !is_in_one_workload(search->state, node) &&
	       itp_rank_kind(search->state, next) != ITP_MODULE_SYSTEM_LIBRARY &&
	       (is_hidden || cost_ns >= fabs((double)nodes[node].self_ns) ||
		cost_ns >= ENTRY_LARGE * largest_ns) &&
	       function_ns >= ENTRY_LEAST * largest_ns;
}

/* Makes a culprit of `context`, far below `node`, and takes its cost off the candidates between. */
static void take_out(struct itp_candidates *candidates, uint32_t node, uint32_t context)
{
	struct itp_candidate *nodes = candidates->nodes;
	uint32_t above = context;

	nodes[context].is_culprit = true;
	do {
		above = nodes[above].above;
		nodes[above].cost_ns -= nodes[context].cost_ns;
	} while (above != node);
}

/* Makes culprits of a function's contexts below `node` if it has most only in all of them. */
static void gather(struct search *search, uint32_t node)
{
	const struct itp_candidate *candidate = &search->candidates->nodes[node];
	double cost_ns = fabs((double)candidate->cost_ns);
	double below_ns = fabs((double)(candidate->cost_ns - candidate->self_ns));
	g_autoptr(GArray) contexts = NULL;

	if (below_ns >= MOST * cost_ns && cost_ns >= ENTRY_LEAST * search->candidates->largest_ns &&
	    !is_in_one_workload(search->state, node)) {
		contexts = itp_gathered_find(search->candidates, node, MOST);
	}
	for (guint i = 0; contexts && i < contexts->len; i++) {
		take_out(search->candidates, node, g_array_index(contexts, uint32_t, i));
	}
	if (contexts) {
		sum_functions(search);
	}
}

/* Candidates (uint32_t) right below `node` without culprits, dearest first. Free with
 * g_array_unref(). */
static GArray *list_below(const struct search *search, uint32_t node)
{
	const struct itp_candidate *nodes = search->candidates->nodes;
	GArray *below = g_array_new(FALSE, FALSE, sizeof(uint32_t));

	for (uint32_t next = nodes[node].first_below; next != 0; next = nodes[next].next) {
		if (!nodes[next].is_culprit) {
			g_array_append_val(below, next);
		}
	}
	g_array_sort_with_data(below, compare_costs, (gpointer)search);
	return below;
}

/* Makes culprits of the worthy candidates below culprit `node`. */
static void go_down(struct search *search, uint32_t node)
{
	struct itp_candidate *nodes = search->candidates->nodes;
	g_autoptr(GArray) below = list_below(search, node);
	double rest_ns = (double)nodes[node].cost_ns;

	if (node != ITP_CONTEXT_ROOT && below->len > 0 &&
	    !is_most(search, node, g_array_index(below, uint32_t, 0), rest_ns)) {
		gather(search, node);
		g_array_unref(below);
		below = list_below(search, node);
		rest_ns = (double)nodes[node].cost_ns;
	}
	for (guint i = 0; i < below->len; i++) {
		uint32_t next = g_array_index(below, uint32_t, i);

		if (node == ITP_CONTEXT_ROOT || is_most(search, node, next, rest_ns) ||
		    is_worth_it(search, node, next)) {
			nodes[next].is_culprit = true;
			rest_ns -= (double)nodes[next].cost_ns;
		}
	}
}

static uint32_t *find(struct search *search)
{
	const struct itp_rank_state *state = search->state;
	const struct itp_candidate *nodes = search->candidates->nodes;
	uint32_t *culprits = g_new0(uint32_t, state->node_count);

	sum_functions(search);
	go_down(search, ITP_CONTEXT_ROOT);
	for (uint32_t node = 1; node < state->node_count; node++) {
		if (nodes[node].is_culprit) {
			go_down(search, node);
		}
		culprits[node] = nodes[node].is_culprit ? node :
							  culprits[itp_rank_parent(state, node)];
	}
	return culprits;
}

uint32_t *itp_culprits_find(const struct itp_rank_state *state)
{
	struct search search = {
		.state = state,
		.candidates = itp_candidates_new(state),
		.function_ns = g_new0(int64_t, itp_function_table_size(state->functions)),
	};
	uint32_t *culprits = find(&search);

	itp_candidates_free(search.candidates);
	g_free(search.function_ns);
	return culprits;
}
