/* SPDX-License-Identifier: MIT */
/*
 * Following code and resolving jumps in turns, until there is nothing new.
 */
#include "common/control-flow/explore.h"

#include "common/control-flow/blocks.h"

/* Of which each finds at least one new target of a jump. */
#define MAX_ROUNDS 32
/* Of all jump tables of a function together. */
#define MAX_TARGETS (256u * 1024)

/* Sets what `function` knows of how blocks are reached; the arrays belong to the caller. */
static void set_predecessors(const struct itp_flow_graph *graph, uint32_t *first,
			     uint32_t *predecessors)
{
	uint32_t total = graph->blocks[graph->block_count].first_successor;

	for (uint32_t i = 0; i < total; i++) {
		first[graph->successors[i] + 1]++;
	}
	for (uint32_t i = 0; i < graph->block_count; i++) {
		first[i + 1] += first[i];
	}
	/* Filled from the end of each list, which is where its beginning moves from. */
	for (uint32_t from = graph->block_count; from-- > 0;) {
		for (uint32_t i = graph->blocks[from].first_successor;
		     i < graph->blocks[from + 1].first_successor; i++) {
			predecessors[--first[graph->successors[i] + 1]] = from;
		}
	}
	memmove(first, first + 1, graph->block_count * sizeof(first[0]));
	first[graph->block_count] = total;
}

static void mark_entries(const struct itp_flow_walk *walk, const struct itp_flow_graph *graph,
			 uint8_t *entries)
{
	for (guint i = walk->roots->len; i-- > 0;) {
		uint64_t root = g_array_index(walk->roots, uint64_t, i);
		uint32_t block = itp_flow_block_at(graph, itp_flow_walk_offset(walk, root));

		if (block != ITP_FLOW_NOWHERE) {
			entries[block] = i == 0 ? ITP_FLOW_ENTERED_BY_CALL :
						  ITP_FLOW_ENTERED_SOMEHOW;
		}
	}
	for (uint32_t i = 0; i < graph->block_count; i++) {
		if (graph->blocks[i].start == ITP_FLOW_NOWHERE) {
			entries[i] = ITP_FLOW_ENTERED_SOMEHOW;
		}
	}
}

static bool same_targets(const GArray *left, const GArray *right)
{
	return left->len == right->len &&
	       (left->len == 0 ||
		memcmp(left->data, right->data, left->len * sizeof(uint64_t)) == 0);
}

/* Whether all targets of a table can be in the function; enters them. */
static bool enter_targets(struct itp_flow_walk *walk, const GArray *targets, uint64_t jump)
{
	const struct itp_flow_part *part = itp_flow_walk_known_part(walk, jump);

	for (guint i = 0; i < targets->len; i++) {
		uint64_t target = g_array_index(targets, uint64_t, i);

		if (itp_flow_code_jump(walk->code, part->range, jump, target) !=
		    ITP_FLOW_JUMP_STAYS) {
			return false;
		}
	}
	for (guint i = 0; i < targets->len; i++) {
		itp_flow_walk_enter(walk, g_array_index(targets, uint64_t, i));
	}
	return true;
}

/* True when something is known now that was not before, or the other way round. */
static bool resolve(struct itp_flow_walk *walk, const struct itp_flow_function *function,
		    struct itp_flow_pending_jump *jump)
{
	g_autoptr(GArray) targets = g_array_new(FALSE, FALSE, sizeof(uint64_t));
	enum itp_flow_resolution old = jump->resolution;
	enum itp_flow_resolution resolution;
	uint32_t block = itp_flow_graph_find(function->graph, jump->offset + 1) - 1;

	if (jump->is_given_up) {
		return false;
	}
	resolution = itp_flow_resolve_jump(function, block, targets);
	if (resolution == old && same_targets(targets, jump->targets)) {
		return false;
	}
	if (old != ITP_FLOW_UNRESOLVED ||
	    !enter_targets(walk, targets, itp_flow_walk_vaddr(walk, jump->offset))) {
		jump->is_given_up = true;
		jump->resolution = ITP_FLOW_UNRESOLVED;
		g_array_set_size(jump->targets, 0);
		return old != ITP_FLOW_UNRESOLVED;
	}
	walk->target_count += targets->len;
	walk->is_too_large |= walk->target_count > MAX_TARGETS;
	jump->resolution = resolution;
	g_array_append_vals(jump->targets, targets->data, targets->len);
	return true;
}

static bool resolve_all(struct itp_flow_walk *walk, const struct itp_flow_graph *graph)
{
	uint32_t edge_count = graph->blocks[graph->block_count].first_successor;
	g_autofree uint32_t *predecessors = g_new(uint32_t, (size_t)edge_count + 1);
	g_autofree uint32_t *first = g_new0(uint32_t, (size_t)graph->block_count + 2);
	g_autofree uint8_t *entries = g_new0(uint8_t, (size_t)graph->block_count + 1);
	const struct itp_flow_function function = {
		.code = walk->code,
		.graph = graph,
		.predecessors = predecessors,
		.first_predecessor = first,
		.entries = entries,
		.parts = walk->ranges,
		.has_labels = walk->labels->len > 0,
		.budget = &walk->resolve_steps,
	};
	bool has_changed = false;

	set_predecessors(graph, first, predecessors);
	mark_entries(walk, graph, entries);
	for (guint i = 0; i < walk->jumps->len; i++) {
		has_changed |=
			resolve(walk, &function,
				&g_array_index(walk->jumps, struct itp_flow_pending_jump, i));
	}
	return has_changed;
}

/* Resolutions that were not confirmed with the whole graph. */
static void give_up(struct itp_flow_walk *walk)
{
	for (guint i = 0; i < walk->jumps->len; i++) {
		struct itp_flow_pending_jump *jump =
			&g_array_index(walk->jumps, struct itp_flow_pending_jump, i);

		jump->resolution = ITP_FLOW_UNRESOLVED;
		g_array_set_size(jump->targets, 0);
	}
}

static struct itp_flow_graph *explore(struct itp_flow_walk *walk)
{
	struct itp_flow_graph *graph = NULL;
	bool has_changed = true;

	for (unsigned int round = 0; has_changed && !walk->is_too_large; round++) {
		itp_flow_graph_free(graph);
		itp_flow_walk_follow(walk);
		graph = itp_flow_assemble(walk);
		has_changed = walk->jumps->len > 0 && round < MAX_ROUNDS &&
			      resolve_all(walk, graph);
		if (round + 1 == MAX_ROUNDS) {
			give_up(walk);
		}
	}
	if (walk->is_too_large) {
		itp_flow_graph_free(graph);
		return NULL;
	}
	return graph;
}

struct itp_flow_graph *itp_flow_explore(const struct itp_flow_code *code, const GArray *roots,
					uint64_t *ret_step_count)
{
	struct itp_flow_graph *graph = NULL;
	struct itp_flow_walk walk;
	bool is_known = true;

	itp_flow_walk_init(&walk, code, roots);
	for (guint i = 0; i < roots->len; i++) {
		uint64_t root = g_array_index(roots, uint64_t, i);

		is_known = is_known && itp_flow_walk_part(&walk, root);
		itp_flow_walk_enter(&walk, root);
	}
	if (is_known) {
		graph = explore(&walk);
	}
	*ret_step_count = walk.steps->len + (ITP_FLOW_MAX_RESOLVE_STEPS - walk.resolve_steps);
	itp_flow_walk_release(&walk);
	return graph;
}
