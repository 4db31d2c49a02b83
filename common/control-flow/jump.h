/* SPDX-License-Identifier: MIT */
/*
 * Where an indirect jump leads: to the places of a jump table, or out of the function.
 */
#ifndef ITP_CONTROL_FLOW_JUMP_H
#define ITP_CONTROL_FLOW_JUMP_H

#include "common/control-flow/code.h"
#include "common/control-flow/graph.h"

enum itp_flow_resolution {
	/* Where it goes is not known. */
	ITP_FLOW_UNRESOLVED,
	/* A tail call. */
	ITP_FLOW_LEAVES,
	ITP_FLOW_TABLE,
};

/* What is known of a function while its jumps are resolved. All weak. */
struct itp_flow_function {
	const struct itp_flow_code *code;
	const struct itp_flow_graph *graph;
	/* Blocks that lead to a block: those of block i from first_predecessor[i] on. */
	const uint32_t *predecessors;
	const uint32_t *first_predecessor;
	/* One for each block: where it can be entered from outside. */
	const uint8_t *entries;
	/* struct itp_flow_range: the parts that the graph knows. */
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
