/* SPDX-License-Identifier: MIT */
/*
 * Following code and resolving jumps in turns, until there is nothing new. Found instructions are
 * cut into blocks, and blocks are joined. Blocks are decoded again where their instructions are
 * needed: few are ever asked about.
 */
#include "common/control-flow/explore.h"

#include "common/base/hash.h"
#include "common/control-flow/follow.h"
#include "common/control-flow/landing.h"

/* Most rounds, each with at least one new target of a jump. */
#define MAX_ROUNDS 32
/* Of all jump tables of a function together. */
#define MAX_TARGETS (256u * 1024)
#define MAX_EDGES (4u * 1024 * 1024)

/* ---- From instructions to a graph ---- */

static gint compare_steps(gconstpointer a, gconstpointer b)
{
	const struct itp_flow_step *left = a;
	const struct itp_flow_step *right = b;

	return left->offset < right->offset ? -1 : left->offset > right->offset;
}

static bool is_leader(const struct itp_flow_walk *walk, const struct itp_flow_step *step)
{
	uint64_t vaddr = itp_flow_walk_vaddr(walk, step->offset);
	const struct itp_flow_part *part = itp_flow_walk_known_part(walk, vaddr);

	return part->marks[vaddr - part->range.start] & ITP_FLOW_MARK_LEADER;
}

/* The last instruction of the block that begins with step i. Instructions can overlap: a jump may
 * skip a prefix. */
static guint block_end(const struct itp_flow_walk *walk, guint i)
{
	const struct itp_flow_step *steps = &g_array_index(walk->steps, struct itp_flow_step, 0);

	while (steps[i].kind == ITP_FLOW_PLAIN && steps[i].cause == ITP_FLOW_KNOWN) {
		uint32_t next = steps[i].offset + steps[i].size;
		guint k = i + 1;

		while (k < walk->steps->len && steps[k].offset < next) {
			k++;
		}
		if (k >= walk->steps->len || steps[k].offset != steps[i].next ||
		    is_leader(walk, &steps[k])) {
			break;
		}
		i = k;
	}
	return i;
}

static struct itp_flow_graph *new_graph(guint max_blocks)
{
	struct itp_flow_graph *graph = g_new0(struct itp_flow_graph, 1);

	graph->rows = g_hash_table_new_full(itp_hash_number, NULL, NULL, g_free);
	graph->blocks = g_new0(struct itp_flow_block, (size_t)max_blocks + 2);
	return graph;
}

/* Number of the block at `offset`, ITP_FLOW_NOWHERE when there is none. */
static uint32_t block_at(const struct itp_flow_graph *graph, uint32_t offset)
{
	uint32_t i = itp_flow_graph_find(graph, offset);

	return i < graph->block_count && graph->blocks[i].start == offset ? i : ITP_FLOW_NOWHERE;
}

static void add_edge(struct itp_flow_walk *walk, uint32_t from, uint32_t to)
{
	uint64_t edge = (uint64_t)from << 32 | to;

	if (to == ITP_FLOW_NOWHERE) {
		return;
	}
	if (walk->edges->len < MAX_EDGES) {
		g_array_append_val(walk->edges, edge);
	} else {
		walk->is_too_large = true;
	}
}

static void cut_into_blocks(struct itp_flow_walk *walk, struct itp_flow_graph *graph)
{
	const struct itp_flow_step *steps = &g_array_index(walk->steps, struct itp_flow_step, 0);

	for (guint i = 0; i < walk->steps->len; i++) {
		const struct itp_flow_step *last;

		if (!is_leader(walk, &steps[i])) {
			continue;
		}
		last = &steps[block_end(walk, i)];
		graph->blocks[graph->block_count++] = (struct itp_flow_block){
			.start = steps[i].offset,
			.size = last->offset + last->size - steps[i].offset,
			.kind = last->kind,
			.cause = last->cause,
		};
	}
}

static void add_jump_edges(struct itp_flow_walk *walk, const struct itp_flow_graph *graph,
			   uint32_t from, const struct itp_flow_step *last)
{
	const struct itp_flow_pending_jump *jump = NULL;

	for (guint i = 0; i < walk->jumps->len && !jump; i++) {
		const struct itp_flow_pending_jump *candidate =
			&g_array_index(walk->jumps, struct itp_flow_pending_jump, i);

		jump = candidate->offset == last->offset ? candidate : NULL;
	}
	if (jump && jump->resolution == ITP_FLOW_UNRESOLVED) {
		graph->blocks[from].cause = ITP_FLOW_INDIRECT_JUMP;
	}
	for (guint i = 0; jump && i < jump->targets->len; i++) {
		uint64_t target = g_array_index(jump->targets, uint64_t, i);

		add_edge(walk, from, block_at(graph, itp_flow_walk_offset(walk, target)));
	}
}

static void add_edges_of_steps(struct itp_flow_walk *walk, const struct itp_flow_graph *graph)
{
	const struct itp_flow_step *steps = &g_array_index(walk->steps, struct itp_flow_step, 0);
	uint32_t block = 0;

	for (guint i = 0; i < walk->steps->len; i++) {
		const struct itp_flow_step *last;

		if (!is_leader(walk, &steps[i])) {
			continue;
		}
		last = &steps[block_end(walk, i)];
		add_edge(walk, block, block_at(graph, last->next));
		add_edge(walk, block, block_at(graph, last->target));
		if (last->kind == ITP_FLOW_JUMP_INDIRECT) {
			add_jump_edges(walk, graph, block, last);
		}
		block++;
	}
}

/* Adds edges from all blocks that touch the landing's range to its pad; the first may begin before
 * the range. */
static void add_landing(struct itp_flow_walk *walk, const struct itp_flow_graph *graph,
			const struct itp_flow_landing *landing)
{
	uint32_t pad = block_at(graph, itp_flow_walk_offset(walk, landing->pad));
	uint32_t begin = itp_flow_walk_offset(walk, landing->range.start);
	uint32_t end = itp_flow_walk_offset(walk, landing->range.end);
	uint32_t i = itp_flow_graph_find(graph, begin);

	while (i > 0 && graph->blocks[i - 1].start + graph->blocks[i - 1].size > begin) {
		i--;
	}
	for (; i < graph->block_count && graph->blocks[i].start < end; i++) {
		add_edge(walk, i, pad);
	}
}

static void add_landing_edges(struct itp_flow_walk *walk, const struct itp_flow_graph *graph)
{
	for (guint i = 0; i < walk->parts->len; i++) {
		const struct itp_flow_part *part =
			&g_array_index(walk->parts, struct itp_flow_part, i);
		uint32_t begin = itp_flow_walk_offset(walk, part->range.start);
		uint32_t end = itp_flow_walk_offset(walk, part->range.end);

		for (guint k = 0; k < part->landings->len && !walk->is_too_large; k++) {
			add_landing(walk, graph,
				    &g_array_index(part->landings, struct itp_flow_landing, k));
		}
		for (uint32_t b = itp_flow_graph_find(graph, begin);
		     !part->has_known_landings && b < graph->block_count &&
		     graph->blocks[b].start < end;
		     b++) {
			graph->blocks[b].cause = ITP_FLOW_EXCEPTION_TABLE;
		}
	}
}

/* Adds a block without code between all blocks and all labels. */
static void add_label_edges(struct itp_flow_walk *walk, struct itp_flow_graph *graph)
{
	uint32_t middle = graph->block_count;

	if (walk->labels->len == 0) {
		return;
	}
	graph->blocks[middle] = (struct itp_flow_block){ .start = ITP_FLOW_NOWHERE };
	for (guint i = 0; i < walk->labels->len; i++) {
		uint64_t label = g_array_index(walk->labels, uint64_t, i);

		add_edge(walk, middle, block_at(graph, itp_flow_walk_offset(walk, label)));
	}
	for (uint32_t i = 0; i < middle; i++) {
		add_edge(walk, i, middle);
	}
	graph->block_count++;
}

static gint compare_edges(gconstpointer a, gconstpointer b)
{
	const uint64_t *left = a;
	const uint64_t *right = b;

	return *left < *right ? -1 : *left > *right;
}

/* Sets the edges, sorted and without repetitions, as a list for each block. */
static void set_successors(const struct itp_flow_walk *walk, struct itp_flow_graph *graph)
{
	uint32_t count = 0;
	uint32_t block = 0;

	graph->successors = g_new(uint32_t, walk->edges->len + 1);
	for (guint i = 0; i < walk->edges->len; i++) {
		uint64_t edge = g_array_index(walk->edges, uint64_t, i);

		if (i > 0 && edge == g_array_index(walk->edges, uint64_t, i - 1)) {
			continue;
		}
		while (block <= edge >> 32) {
			graph->blocks[block++].first_successor = count;
		}
		graph->successors[count++] = (uint32_t)edge;
	}
	while (block <= graph->block_count) {
		graph->blocks[block++].first_successor = count;
	}
	graph->successors = g_renew(uint32_t, graph->successors, count + 1);
	graph->blocks = g_renew(struct itp_flow_block, graph->blocks, graph->block_count + 1);
}

/* Graph of everything followed so far. `walk` says when it is too large. */
static struct itp_flow_graph *assemble(struct itp_flow_walk *walk)
{
	struct itp_flow_graph *graph = new_graph(walk->steps->len);

	g_array_sort(walk->steps, compare_steps);
	g_array_set_size(walk->edges, 0);
	cut_into_blocks(walk, graph);
	add_edges_of_steps(walk, graph);
	add_landing_edges(walk, graph);
	add_label_edges(walk, graph);
	g_array_sort(walk->edges, compare_edges);
	set_successors(walk, graph);
	return graph;
}

/* ---- Jumps ---- */

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
	/* Lists are filled from their ends, and their beginnings move down. */
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
		uint32_t block = block_at(graph, itp_flow_walk_offset(walk, root));

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

/* Enters the targets of a table, if all can be in the function. */
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
static bool resolve_jump(struct itp_flow_walk *walk, const struct itp_flow_function *function,
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
			resolve_jump(walk, &function,
				     &g_array_index(walk->jumps, struct itp_flow_pending_jump, i));
	}
	return has_changed;
}

/* Gives up resolutions not confirmed with the whole graph. */
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
		graph = assemble(walk);
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

/* ---- Places in the graph ---- */

/* True when an instruction begins at `vaddr`, in a block that may begin before. */
static bool is_boundary(const struct itp_flow_code *code, const struct itp_flow_block *block,
			uint64_t vaddr)
{
	uint64_t at = code->range.start + block->start;

	while (at < vaddr) {
		at += itp_flow_code_decode(code, at).size;
	}
	return at == vaddr;
}

struct itp_flow_blocks itp_flow_blocks_of(const struct itp_flow_code *code,
					  const struct itp_flow_graph *graph,
					  struct itp_flow_point point)
{
	uint32_t offset = (uint32_t)(point.vaddr - code->range.start);
	uint32_t end = itp_flow_graph_find(graph, offset + !point.is_behind_call);
	struct itp_flow_blocks blocks = { .count = 0 };

	for (uint32_t i = end; i > 0 && end - i < ITP_FLOW_MAX_OVERLAP; i--) {
		const struct itp_flow_block *block = &graph->blocks[i - 1];
		uint32_t block_end = block->start + block->size;
		bool holds = point.is_behind_call ?
				     block_end == offset &&
					     itp_flow_is_call((enum itp_flow_kind)block->kind) :
				     block_end > offset && is_boundary(code, block, point.vaddr);

		if (holds) {
			blocks.numbers[blocks.count++] = i - 1;
		}
	}
	return blocks;
}

uint64_t itp_flow_jump_target(const struct itp_flow_code *code, const struct itp_flow_block *block)
{
	uint64_t at = code->range.start + block->start;
	uint64_t end = at + block->size;
	struct itp_flow_instruction last = { .size = 0 };

	while (at < end) {
		last = itp_flow_code_decode(code, at);
		at += last.size;
	}
	return last.kind == ITP_FLOW_JUMP_INDIRECT ||
			       itp_flow_code_linkage_name(code, last.target) ?
		       0 :
		       last.target;
}
