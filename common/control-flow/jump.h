/* SPDX-License-Identifier: MIT */
/*
 * Targets of an indirect jump: places of a jump table, or a way out of the function.
 */
#ifndef ITP_CONTROL_FLOW_JUMP_H
#define ITP_CONTROL_FLOW_JUMP_H

#include "common/control-flow/code.h"
#include "common/control-flow/graph.h"

enum itp_flow_resolution {
	/* Unknown targets. */
	ITP_FLOW_UNRESOLVED,
	/* A tail call. */
	ITP_FLOW_LEAVES,
	ITP_FLOW_TABLE,
};

/* Function as known while its jumps are resolved. All weak. */
struct itp_flow_function {
	const struct itp_flow_code *code;
	const struct itp_flow_graph *graph;
	/* Blocks that lead to a block: block i's begin at first_predecessor[i]. */
	const uint32_t *predecessors;
	const uint32_t *first_predecessor;
	/* Entries from outside, for each block. */
	const uint8_t *entries;
	/* struct itp_flow_range: parts known to the graph. */
	const GArray *parts;
	/* The code makes addresses of places in itself. */
	bool has_labels;
	/* How many instructions may still be looked at. */
	uint32_t *budget;
};

/* Of itp_flow_function.entries. */
enum itp_flow_entry {
	ITP_FLOW_NOT_ENTERED,
	/* By a call of the function. */
	ITP_FLOW_ENTERED_BY_CALL,
	/* From elsewhere, with unknown values in the registers. */
	ITP_FLOW_ENTERED_SOMEHOW,
};

/* Of the indirect jump that ends `block`. Appends addresses to *targets, of uint64_t, for a table;
 * they need not be in the function. */
enum itp_flow_resolution itp_flow_resolve_jump(const struct itp_flow_function *function,
					       uint32_t block, GArray *targets);

#endif
