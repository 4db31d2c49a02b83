/* SPDX-License-Identifier: MIT */
/*
 * See intake.h.
 */
#include "common/mine/intake.h"

#include "common/known/waiting-calls.h"

struct adding {
	struct itp_mining *mining;
	const struct itp_intake *from;
	uint32_t trace;
	/* By function of the trace: its id in the mining, 0 until known. Owned by this. */
	uint32_t *functions;
	/* Contexts and functions of the stack at hand. Owned by this. */
	GArray *contexts;
	GArray *path;
	/* Counts; NULL where stacks are not counted. Owned by this. */
	struct itp_stack_counts *counts;
};

void itp_intake_init(struct itp_intake *intake, const struct itp_context_tree *tree,
		     const struct itp_function_table *functions)
{
	*intake = (struct itp_intake){ .tree = tree, .functions = functions };
	itp_interest_init(&intake->interest);
}

void itp_intake_release(struct itp_intake *intake)
{
	itp_interest_release(&intake->interest);
}

void itp_intake_count_symptom(struct itp_intake *intake, int64_t cost_ns)
{
	intake->trace.symptoms++;
	intake->trace.cost_ns += cost_ns;
}

/* ---- Stacks ---- */

/* Builds of a program differ from trace to trace, and are merged here. */
static uint32_t merged_function(struct adding *adding, uint32_t id)
{
	if (adding->functions[id] == 0) {
		struct itp_function function = *itp_function_table_get(adding->from->functions, id);

		function.build_id = "";
		function.file = NULL;
		adding->functions[id] =
			itp_function_table_intern(adding->mining->functions, &function);
	}
	return adding->functions[id];
}

/* Processes are left out, but for threads of which nothing else is known: a cause may be in many
 * programs. */
static uint32_t stack_node(struct adding *adding, uint32_t chain, struct itp_stack_set *set)
{
	uint32_t node = ITP_CONTEXT_ROOT;

	itp_context_tree_path(adding->from->interest.chains, chain, adding->contexts);
	for (guint i = 0; i < adding->contexts->len; i++) {
		itp_context_tree_path(adding->from->tree,
				      g_array_index(adding->contexts, uint32_t, i), adding->path);
		for (guint k = adding->path->len > 1 ? 1 : 0; k < adding->path->len; k++) {
			node = itp_context_tree_child(
				set->tree, node,
				merged_function(adding, g_array_index(adding->path, uint32_t, k)));
		}
	}
	return node;
}

/* True when the context at hand waits for nothing but time. */
static bool is_asleep(const struct adding *adding)
{
	for (guint i = 0; i < adding->path->len; i++) {
		if (itp_function_is_sleep(itp_function_table_get(
			    adding->from->functions, g_array_index(adding->path, uint32_t, i)))) {
			return true;
		}
	}
	return false;
}

static void count_stack(struct adding *adding, const struct itp_stack_set *set, uint32_t node,
			const struct itp_interest_stack *stack)
{
	g_autoptr(GArray) path = NULL;

	if (adding->counts) {
		path = g_array_new(FALSE, FALSE, sizeof(uint32_t));
		itp_context_tree_path(set->tree, node, path);
		itp_stack_counts_add(adding->counts, path, stack->count, stack->cost_ns);
	}
}

/* Returns how long stacks waited for others than time. */
static int64_t add_stacks(struct adding *adding, struct itp_stack_set *sets)
{
	const GArray *stacks = adding->from->interest.stacks;
	int64_t waited_ns = adding->from->interest.lost_wait_ns;

	for (guint i = 0; i < stacks->len; i++) {
		const struct itp_interest_stack *stack =
			&g_array_index(stacks, struct itp_interest_stack, i);
		struct itp_stack_set *set =
			&sets[stack->is_wait ? ITP_MINE_WAITING : ITP_MINE_RUNNING];
		uint32_t node = stack_node(adding, stack->chain, set);

		itp_stack_set_add(set, node, stack->cost_ns, stack->count, adding->trace);
		count_stack(adding, set, node, stack);
		waited_ns += stack->is_wait && !is_asleep(adding) ? stack->cost_ns : 0;
	}
	return waited_ns;
}

void itp_mining_add(struct itp_mining *mining, bool of_base, const struct itp_intake *intake)
{
	GArray *traces = of_base ? mining->base_traces : mining->traces;
	g_autoptr(GArray) contexts = g_array_new(FALSE, FALSE, sizeof(uint32_t));
	g_autoptr(GArray) path = g_array_new(FALSE, FALSE, sizeof(uint32_t));
	g_autofree uint32_t *functions =
		g_new0(uint32_t, itp_function_table_size(intake->functions));
	struct adding adding = { .mining = mining,
				 .from = intake,
				 .trace = traces->len,
				 .functions = functions,
				 .contexts = contexts,
				 .path = path,
				 .counts = mining->stacks ?
						   itp_stack_counts_new(mining->functions) :
						   NULL };
	struct itp_mined_trace added = intake->trace;
	int64_t waited_ns = add_stacks(&adding, of_base ? mining->base_sets : mining->sets);

	added.unseen_ns = added.has_wakeups ? 0 : waited_ns;
	added.path = g_strdup(added.path);
	added.symptom = g_strdup(added.symptom);
	g_array_append_val(traces, added);
	if (adding.counts) {
		itp_stack_base_add(mining->stacks, adding.counts);
		itp_stack_counts_free(adding.counts);
	}
}
