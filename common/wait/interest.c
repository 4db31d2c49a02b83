/* SPDX-License-Identifier: MIT */
/*
 * See interest.h.
 */
#include "common/wait/interest.h"

#include "common/base/hash.h"

/* Most stretches taken of a graph: a symptom with more is everything. */
#define MAX_VERTICES (1u << 22)

const char *const itp_interest_scope_names[] = {
	[ITP_INTEREST_PATH] = "path",
	[ITP_INTEREST_GRAPH] = "graph",
	NULL,
};

void itp_interest_init(struct itp_interest *interest)
{
	interest->lost_wait_ns = 0;
	interest->chains = itp_context_tree_new();
	interest->stacks = g_array_new(FALSE, FALSE, sizeof(struct itp_interest_stack));
	interest->places = g_hash_table_new(itp_hash_number, NULL);
}

void itp_interest_release(struct itp_interest *interest)
{
	g_clear_pointer(&interest->chains, itp_context_tree_free);
	g_clear_pointer(&interest->stacks, g_array_unref);
	g_clear_pointer(&interest->places, g_hash_table_unref);
}

static struct itp_interest_stack *stack_of(struct itp_interest *interest, uint32_t chain,
					   bool is_wait)
{
	gpointer key = itp_pair(chain, is_wait);
	guint place = GPOINTER_TO_UINT(g_hash_table_lookup(interest->places, key));

	if (place == 0) {
		const struct itp_interest_stack stack = { .chain = chain, .is_wait = is_wait };

		g_array_append_val(interest->stacks, stack);
		place = interest->stacks->len;
		g_hash_table_insert(interest->places, key, GUINT_TO_POINTER(place));
	}
	return &g_array_index(interest->stacks, struct itp_interest_stack, place - 1);
}

void itp_interest_add_stack(struct itp_interest *interest, uint32_t chain, bool is_wait,
			    uint64_t count, int64_t cost_ns)
{
	struct itp_interest_stack *stack;

	if (chain != ITP_CONTEXT_ROOT && cost_ns > 0) {
		stack = stack_of(interest, chain, is_wait);
		stack->count += count;
		stack->cost_ns += cost_ns;
	}
}

static void add(struct itp_interest *interest, uint32_t chain, const struct itp_stretch *stretch,
		int64_t cost_ns)
{
	if (chain == ITP_CONTEXT_ROOT) {
		interest->lost_wait_ns += stretch->kind == ITP_STRETCH_WAIT ? cost_ns : 0;
	} else if (stretch->kind != ITP_STRETCH_UNKNOWN) {
		itp_interest_add_stack(interest, chain, stretch->kind == ITP_STRETCH_WAIT, 1,
				       cost_ns);
	}
}

/* `chain` with the stack of another thread behind it, if that is known. */
static uint32_t longer(struct itp_interest *interest, uint32_t chain,
		       const struct itp_stretch *stretch)
{
	return stretch->node == ITP_CONTEXT_ROOT ?
		       chain :
		       itp_context_tree_child(interest->chains, chain, stretch->node);
}

static void add_graph(struct itp_interest *interest, const struct itp_history *history,
		      const struct itp_symptom *symptom)
{
	struct itp_wait_graph *graph = itp_wait_graph_new(history, symptom, MAX_VERTICES);

	for (guint i = 0; i < graph->vertices->len; i++) {
		const struct itp_stretch *stretch =
			&g_array_index(graph->vertices, struct itp_stretch, i);

		add(interest, longer(interest, ITP_CONTEXT_ROOT, stretch), stretch,
		    stretch->end_ns - stretch->begin_ns);
	}
	itp_wait_graph_free(graph);
}

static void add_path(struct itp_interest *interest, const struct itp_history *history,
		     const struct itp_symptom *symptom)
{
	g_autoptr(GArray) links = itp_critical_path(history, symptom);
	/* Chains of the waits followed at the instant at hand, by depth. */
	uint32_t chains[ITP_MAX_WAIT_DEPTH + 1] = { ITP_CONTEXT_ROOT };

	for (guint i = 0; i < links->len; i++) {
		const struct itp_link *link = &g_array_index(links, struct itp_link, i);
		uint32_t chain = longer(interest, chains[link->depth], &link->stretch);

		if (link->is_followed) {
			chains[link->depth + 1] = chain;
		} else {
			add(interest, chain, &link->stretch, link->cost_ns);
		}
	}
}

void itp_interest_add(struct itp_interest *interest, const struct itp_history *history,
		      const struct itp_symptom *symptom, enum itp_interest_scope scope)
{
	if (scope == ITP_INTEREST_GRAPH) {
		add_graph(interest, history, symptom);
	} else {
		add_path(interest, history, symptom);
	}
}
