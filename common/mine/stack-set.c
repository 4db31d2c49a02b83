/* SPDX-License-Identifier: MIT */
/*
 * See stack-set.h.
 */
#include "common/mine/stack-set.h"

#include "common/base/hash.h"

void itp_stack_set_init(struct itp_stack_set *set)
{
	*set = (struct itp_stack_set){
		.tree = itp_context_tree_new(),
		.stacks = g_array_new(FALSE, FALSE, sizeof(struct itp_stack)),
		.places = g_hash_table_new(itp_hash_number, NULL),
		.traces = g_array_new(FALSE, FALSE, sizeof(struct itp_stack_trace)),
	};
}

void itp_stack_set_release(struct itp_stack_set *set)
{
	g_clear_pointer(&set->tree, itp_context_tree_free);
	g_clear_pointer(&set->stacks, g_array_unref);
	g_clear_pointer(&set->places, g_hash_table_unref);
	g_clear_pointer(&set->traces, g_array_unref);
}

static guint stack_place(struct itp_stack_set *set, uint32_t node)
{
	guint place = GPOINTER_TO_UINT(g_hash_table_lookup(set->places, GUINT_TO_POINTER(node)));

	if (place == 0) {
		const struct itp_stack stack = { .node = node };

		g_array_append_val(set->stacks, stack);
		place = set->stacks->len;
		g_hash_table_insert(set->places, GUINT_TO_POINTER(node), GUINT_TO_POINTER(place));
	}
	return place - 1;
}

void itp_stack_set_add(struct itp_stack_set *set, uint32_t node, int64_t cost_ns, uint64_t events,
		       uint32_t trace)
{
	const struct itp_stack_trace in = { .stack = stack_place(set, node),
					    .trace = trace,
					    .cost_ns = cost_ns };
	struct itp_stack *stack = &g_array_index(set->stacks, struct itp_stack, in.stack);

	stack->cost_ns += cost_ns;
	stack->events += events;
	set->cost_ns += cost_ns;
	set->events += events;
	g_array_append_val(set->traces, in);
}

void itp_stack_set_forget(struct itp_stack_set *set, guint stack)
{
	struct itp_stack *forgotten = &g_array_index(set->stacks, struct itp_stack, stack);

	set->cost_ns -= forgotten->cost_ns;
	set->events -= forgotten->events;
	forgotten->cost_ns = 0;
	forgotten->events = 0;
}
