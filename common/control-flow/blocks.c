/* SPDX-License-Identifier: MIT */
/*
 * Cutting the instructions that were found into blocks, and joining these.
 */
#include "common/control-flow/blocks.h"

#include "common/base/hash.h"
#include "common/control-flow/landing.h"

#define MAX_EDGES (4u * 1024 * 1024)

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

uint32_t itp_flow_block_at(const struct itp_flow_graph *graph, uint32_t offset)
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

		add_edge(walk, from, itp_flow_block_at(graph, itp_flow_walk_offset(walk, target)));
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
		add_edge(walk, block, itp_flow_block_at(graph, last->next));
		add_edge(walk, block, itp_flow_block_at(graph, last->target));
		if (last->kind == ITP_FLOW_JUMP_INDIRECT) {
			add_jump_edges(walk, graph, block, last);
		}
		block++;
	}
}

/* Blocks of `part`, from one that may begin before `range` to the last that touches it. */
static void add_landing(struct itp_flow_walk *walk, const struct itp_flow_graph *graph,
			const struct itp_flow_landing *landing)
{
	uint32_t pad = itp_flow_block_at(graph, itp_flow_walk_offset(walk, landing->pad));
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

/* A block without code that all blocks lead to and that leads to all labels. */
static void add_label_edges(struct itp_flow_walk *walk, struct itp_flow_graph *graph)
{
	uint32_t middle = graph->block_count;

	if (walk->labels->len == 0) {
		return;
	}
	graph->blocks[middle] = (struct itp_flow_block){ .start = ITP_FLOW_NOWHERE };
	for (guint i = 0; i < walk->labels->len; i++) {
		uint64_t label = g_array_index(walk->labels, uint64_t, i);

		add_edge(walk, middle, itp_flow_block_at(graph, itp_flow_walk_offset(walk, label)));
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

/* The sorted edges, each once, as one list a block. */
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

struct itp_flow_graph *itp_flow_assemble(struct itp_flow_walk *walk)
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
