/* SPDX-License-Identifier: MIT */
/*
 * Reachability, worked out for a block when it is first asked and kept as one bit a block: few
 * blocks of a function are ever suspended on a stack.
 */
#include "common/control-flow/graph.h"

#include "common/control-flow/decode.h"

#define WORD_BITS 64

struct row {
	bool is_complete;
	uint64_t words[];
};

void itp_flow_graph_free(struct itp_flow_graph *graph)
{
	if (!graph) {
		return;
	}
	g_hash_table_destroy(graph->rows);
	g_free(graph->blocks);
	g_free(graph->successors);
	g_free(graph);
}

enum itp_flow_cause itp_flow_graph_cause(const struct itp_flow_graph *graph)
{
	uint8_t cause = ITP_FLOW_KNOWN;

	for (uint32_t i = 0; i < graph->block_count; i++) {
		if (graph->blocks[i].cause != ITP_FLOW_KNOWN &&
		    (cause == ITP_FLOW_KNOWN || graph->blocks[i].cause < cause)) {
			cause = graph->blocks[i].cause;
		}
	}
	return (enum itp_flow_cause)cause;
}

uint32_t itp_flow_graph_find(const struct itp_flow_graph *graph, uint32_t start)
{
	uint32_t low = 0;
	uint32_t high = graph->block_count;

	while (low < high) {
		uint32_t middle = low + (high - low) / 2;

		if (graph->blocks[middle].start < start) {
			low = middle + 1;
		} else {
			high = middle;
		}
	}
	return low;
}

static bool has_bit(const struct row *row, uint32_t block)
{
	return row->words[block / WORD_BITS] >> block % WORD_BITS & 1;
}

static size_t row_bytes(const struct itp_flow_graph *graph)
{
	return sizeof(struct row) +
	       (graph->block_count / WORD_BITS + 1) * sizeof(((struct row *)NULL)->words[0]);
}

static void set_bit(struct row *row, uint32_t block)
{
	row->words[block / WORD_BITS] |= UINT64_C(1) << block % WORD_BITS;
}

static const struct itp_flow_blocks no_blocks;

static bool is_among(const struct itp_flow_blocks *blocks, uint32_t block)
{
	for (uint32_t i = 0; i < blocks->count; i++) {
		if (blocks->numbers[i] == block) {
			return true;
		}
	}
	return false;
}

/* All system calls are walls where there is any wall. */
static bool is_wall(const struct itp_flow_graph *graph, const struct itp_flow_blocks *walls,
		    uint32_t block)
{
	return is_among(walls, block) ||
	       (walls->count > 0 && graph->blocks[block].kind == ITP_FLOW_SYSTEM_CALL);
}

/* Row of blocks reachable behind block `from` without leaving one of `walls`. */
static struct row *make_row(const struct itp_flow_graph *graph, uint32_t from,
			    const struct itp_flow_blocks *walls)
{
	struct row *row = g_malloc0(row_bytes(graph));
	g_autofree uint32_t *waiting = g_new(uint32_t, (size_t)graph->block_count + 1);
	uint32_t count = 1;

	row->is_complete = true;
	waiting[0] = from;
	while (count > 0) {
		uint32_t number = waiting[--count];
		const struct itp_flow_block *block = &graph->blocks[number];

		if (is_wall(graph, walls, number)) {
			continue;
		}
		row->is_complete &= block->cause == ITP_FLOW_KNOWN;
		for (uint32_t i = block[0].first_successor; i < block[1].first_successor; i++) {
			uint32_t next = graph->successors[i];

			if (!has_bit(row, next)) {
				set_bit(row, next);
				waiting[count++] = next;
			}
		}
	}
	return row;
}

static const struct row *row_of(struct itp_flow_graph *graph, uint32_t from, size_t *bytes)
{
	struct row *row = g_hash_table_lookup(graph->rows, GUINT_TO_POINTER(from));

	if (!row) {
		row = make_row(graph, from, &no_blocks);
		g_hash_table_insert(graph->rows, GUINT_TO_POINTER(from), row);
		*bytes += row_bytes(graph);
	}
	return row;
}

bool itp_flow_graph_reaches(struct itp_flow_graph *graph, uint32_t from, uint32_t to,
			    bool *ret_is_complete, size_t *bytes)
{
	const struct row *row = row_of(graph, from, bytes);

	*ret_is_complete = row->is_complete;
	return has_bit(row, to);
}

/* True for a jump with more ways than the graph: the others lead out of it. */
static bool jumps_away(const struct itp_flow_block *block)
{
	uint32_t ways = block[1].first_successor - block[0].first_successor;

	switch (block->kind) {
	case ITP_FLOW_CONDITIONAL:
		return ways < 2;
	case ITP_FLOW_JUMP:
	case ITP_FLOW_JUMP_INDIRECT:
		return ways == 0;
	default:
		return false;
	}
}

bool itp_flow_graph_exits(struct itp_flow_graph *graph, uint32_t from, GArray *exits, size_t *bytes)
{
	const struct row *row = row_of(graph, from, bytes);

	for (uint32_t i = 0; i < graph->block_count; i++) {
		if ((i == from || has_bit(row, i)) && jumps_away(&graph->blocks[i])) {
			g_array_append_val(exits, i);
		}
	}
	return row->is_complete;
}

bool itp_flow_graph_may_avoid(const struct itp_flow_graph *graph, uint32_t entry,
			      const struct itp_flow_blocks *walls,
			      const struct itp_flow_blocks *goals, GArray *exits)
{
	g_autofree struct row *row = make_row(graph, entry, walls);
	bool may = !row->is_complete;

	set_bit(row, entry);
	for (uint32_t i = 0; !may && i < graph->block_count; i++) {
		if (!has_bit(row, i)) {
			continue;
		}
		if (goals->count > 0) {
			may = is_among(goals, i);
		} else if (jumps_away(&graph->blocks[i])) {
			g_array_append_val(exits, i);
		} else {
			may = graph->blocks[i].kind == ITP_FLOW_RETURN;
		}
	}
	return may;
}

size_t itp_flow_graph_bytes(const struct itp_flow_graph *graph)
{
	return sizeof(*graph) + (graph->block_count + 1) * sizeof(graph->blocks[0]) +
	       graph->blocks[graph->block_count].first_successor * sizeof(graph->successors[0]);
}
