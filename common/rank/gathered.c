/* SPDX-License-Identifier: MIT */
/*
 * Functions that cost little in each of their contexts, and most of their callers' cost in all of
 * them: a collector below hundreds of ways through an evaluator.
 *
 * The search goes from function to function as in culprit.c, but takes all contexts of each
 * together: from eval() to make_cell(), the origin of all cells, and on to collect(). Functions
 * that call their caller again are its recursion, and passed over: list() and add() have most of
 * eval() below them, as each calls eval(), and explain nothing.
 */
#include "common/rank/candidates.h"

#include <math.h>
#include <string.h>

#include "common/known/modules.h"

/* A walk from a candidate through all below it, into each and out of it again. */
struct walk {
	const struct itp_candidate *nodes;
	uint32_t root;
	/* Present node, the root at first. */
	uint32_t node;
	bool leaves;
};

/* First node of the list from `node` on without a culprit; 0: none. */
static uint32_t skip_culprits(const struct walk *walk, uint32_t node)
{
	while (node != 0 && walk->nodes[node].is_culprit) {
		node = walk->nodes[node].next;
	}
	return node;
}

/* False at the end. */
static bool walk_on(struct walk *walk)
{
	const struct itp_candidate *at = &walk->nodes[walk->node];
	uint32_t next = skip_culprits(walk, walk->leaves ? at->next : at->first_below);

	if (next != 0) {
		walk->node = next;
		walk->leaves = false;
	} else {
		walk->node = walk->leaves ? at->above : walk->node;
		walk->leaves = true;
	}
	return walk->node != walk->root;
}

/* Costs (ns) of functions below all contexts of `function`. */
struct gathering {
	const struct itp_candidates *candidates;
	/* Contexts (uint32_t), none below another. Owned by this. */
	GArray *contexts;
	uint32_t function;
	int64_t cost_ns;
	/* Numbers by function: cost of its outermost contexts, number of its contexts that the walk
	 * is in, and whether it calls `function` again. Owned by this. */
	int64_t *below_ns;
	uint32_t *open;
	bool *calls_back;
	/* Nodes with `function` at or below them, by node. Owned by this. */
	bool *is_above;
};

static void enter(struct gathering *gathering, uint32_t node)
{
	uint32_t function = itp_rank_function_id(gathering->candidates->state, node);

	if (gathering->open[function]++ == 0) {
		gathering->below_ns[function] += gathering->candidates->nodes[node].cost_ns;
	}
	gathering->is_above[node] = function == gathering->function;
}

static void leave(struct gathering *gathering, uint32_t node)
{
	uint32_t function = itp_rank_function_id(gathering->candidates->state, node);

	gathering->open[function]--;
	if (gathering->is_above[node]) {
		gathering->calls_back[function] = true;
		gathering->is_above[gathering->candidates->nodes[node].above] = true;
	}
}

static void sum_functions(struct gathering *gathering)
{
	size_t size = itp_function_table_size(gathering->candidates->state->functions);

	memset(gathering->below_ns, 0, size * sizeof(*gathering->below_ns));
	memset(gathering->calls_back, 0, size * sizeof(*gathering->calls_back));
	for (guint i = 0; i < gathering->contexts->len; i++) {
		uint32_t root = g_array_index(gathering->contexts, uint32_t, i);
		struct walk walk = { gathering->candidates->nodes, root, root, false };

		while (walk_on(&walk)) {
			(walk.leaves ? leave : enter)(gathering, walk.node);
		}
	}
}

/* True if only a single workload calls the contexts' function, and the other calls `id`, too: nap()
 * does its old work, while look_up() is new and calls it. */
static bool is_known_elsewhere(const struct gathering *gathering, uint32_t id)
{
	for (int i = 0; i < 2; i++) {
		const bool *is_called = gathering->candidates->is_called[i];

		if (!is_called[gathering->function] && is_called[id]) {
			return true;
		}
	}
	return false;
}

/* Function with the largest cost below the contexts, of their sign, and at least `least_ns`;
 * ITP_FUNCTION_UNKNOWN: none. */
static uint32_t find_heaviest(const struct gathering *gathering, double least_ns)
{
	const struct itp_rank_state *state = gathering->candidates->state;
	int64_t sign = gathering->cost_ns < 0 ? -1 : 1;
	uint32_t best = ITP_FUNCTION_UNKNOWN;

	for (uint32_t id = 1; id < itp_function_table_size(state->functions); id++) {
		int64_t cost_ns = sign * gathering->below_ns[id];
		int64_t more_ns = cost_ns - sign * gathering->below_ns[best];

		if (cost_ns <= 0 || (double)cost_ns < least_ns || gathering->calls_back[id] ||
		    state->kinds[id] == ITP_MODULE_SYSTEM_LIBRARY ||
		    is_known_elsewhere(gathering, id)) {
			continue;
		}
		if (more_ns > 0 ||
		    (more_ns == 0 && itp_function_compare(state->functions, id, best) < 0)) {
			best = id;
		}
	}
	return best;
}

/* Replaces the contexts by those of `function` below them. */
static void go_on_to(struct gathering *gathering, uint32_t function)
{
	GArray *contexts = g_array_new(FALSE, FALSE, sizeof(uint32_t));

	for (guint i = 0; i < gathering->contexts->len; i++) {
		uint32_t root = g_array_index(gathering->contexts, uint32_t, i);
		struct walk walk = { gathering->candidates->nodes, root, root, false };
		uint32_t depth = 0;

		while (walk_on(&walk)) {
			if (itp_rank_function_id(gathering->candidates->state, walk.node) !=
			    function) {
				continue;
			}
			if (!walk.leaves && depth == 0) {
				g_array_append_val(contexts, walk.node);
			}
			depth += walk.leaves ? -1 : 1;
		}
	}
	g_array_unref(gathering->contexts);
	gathering->contexts = contexts;
	gathering->function = function;
	gathering->cost_ns = gathering->below_ns[function];
}

static void go_down(struct gathering *gathering, double part)
{
	uint32_t function;

	do {
		sum_functions(gathering);
		function = find_heaviest(gathering, part * fabs((double)gathering->cost_ns));
		if (function != ITP_FUNCTION_UNKNOWN) {
			go_on_to(gathering, function);
		}
	} while (function != ITP_FUNCTION_UNKNOWN);
}

GArray *itp_gathered_find(const struct itp_candidates *candidates, uint32_t node, double part)
{
	size_t size = itp_function_table_size(candidates->state->functions);
	struct gathering gathering = {
		.candidates = candidates,
		.contexts = g_array_new(FALSE, FALSE, sizeof(uint32_t)),
		.function = itp_rank_function_id(candidates->state, node),
		.cost_ns = candidates->nodes[node].cost_ns,
		.below_ns = g_new0(int64_t, size),
		.open = g_new0(uint32_t, size),
		.calls_back = g_new0(bool, size),
		.is_above = g_new0(bool, candidates->state->node_count),
	};

	g_array_append_val(gathering.contexts, node);
	go_down(&gathering, part);
	if (g_array_index(gathering.contexts, uint32_t, 0) == node) {
		g_clear_pointer(&gathering.contexts, g_array_unref);
	}
	g_free(gathering.below_ns);
	g_free(gathering.open);
	g_free(gathering.calls_back);
	g_free(gathering.is_above);
	return gathering.contexts;
}
