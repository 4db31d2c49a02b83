/* SPDX-License-Identifier: MIT */
/*
 * Blocks are decoded again where their instructions are needed: few are ever asked about.
 */
#include "common/control-flow/point.h"

/* Whether an instruction begins at `vaddr`, in a block that may begin before. */
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
