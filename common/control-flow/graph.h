/* SPDX-License-Identifier: MIT */
/*
 * Basic blocks of a function, and the reach of control among them.
 *
 * Calls and system calls end a block. What is not known is in the graph too: a block with a cause
 * leads to somewhere else as well.
 */
#ifndef ITP_CONTROL_FLOW_GRAPH_H
#define ITP_CONTROL_FLOW_GRAPH_H

#include <glib.h>
#include <stdbool.h>
#include <stdint.h>

/* Reason for unknown ways out of a block. */
enum itp_flow_cause {
	ITP_FLOW_KNOWN,
	/* Jump to an address in a register, neither from a jump table nor a tail call. */
	ITP_FLOW_INDIRECT_JUMP,
	/* Bytes that are no instruction, or none known to Capstone. */
	ITP_FLOW_UNDECODED,
	/* Jump to a place outside of functions. */
	ITP_FLOW_STRAY_JUMP,
	/* Call that does not come back to its place. */
	ITP_FLOW_STRANGE_CALL,
	/* Exception table that cannot be read. */
	ITP_FLOW_EXCEPTION_TABLE,
	/* Too large or too many parts. */
	ITP_FLOW_TOO_LARGE,
	ITP_FLOW_CAUSE_COUNT,
};

/* Blocks that overlap at an address. */
#define ITP_FLOW_MAX_OVERLAP 4

struct itp_flow_block {
	/* From the beginning of the file's code. */
	uint32_t start;
	uint32_t size;
	/* First place in `successors`; they end at the next block's first. */
	uint32_t first_successor;
	/* enum itp_flow_kind of the last instruction. */
	uint8_t kind;
	/* enum itp_flow_cause. */
	uint8_t cause;
};

struct itp_flow_graph {
	/* Blocks sorted by start, and another with the end of `successors`. Owned by this. */
	struct itp_flow_block *blocks;
	uint32_t block_count;
	/* Numbers of blocks. Owned by this. */
	uint32_t *successors;
	/* Number of a block to the row of blocks reachable behind it. Owned by this. */
	GHashTable *rows;
};

void itp_flow_graph_free(struct itp_flow_graph *graph);

/* Cause of the first block with unknown ways out. */
enum itp_flow_cause itp_flow_graph_cause(const struct itp_flow_graph *graph);

/* Number of the first block at or behind `start`, block_count if there is none. */
uint32_t itp_flow_graph_find(const struct itp_flow_graph *graph, uint32_t start);

/* True when control can go from the end of block `from` to the beginning of `to`. *ret_is_complete
 * tells whether every way is known. *bytes grows by the memory kept for the answer. */
bool itp_flow_graph_reaches(struct itp_flow_graph *graph, uint32_t from, uint32_t to,
			    bool *ret_is_complete, size_t *bytes);

/* Appends to *exits, of uint32_t, the blocks from which the function jumps to another one, once
 * control has come to the end of block `from`. False when not all of them are known. Memory as
 * above. */
bool itp_flow_graph_exits(struct itp_flow_graph *graph, uint32_t from, GArray *exits,
			  size_t *bytes);

/* A few blocks. */
struct itp_flow_blocks {
	uint32_t numbers[ITP_FLOW_MAX_OVERLAP];
	uint32_t count;
};

/* True when control may come from the beginning of block `entry` to the beginning of any of
 * `goals`, or without goals to the function's return, without having passed the end of any of
 * `walls`, or, if there are walls, of a system call. True when unknown. Otherwise *exits gets the
 * blocks that may jump to another function then. */
bool itp_flow_graph_may_avoid(const struct itp_flow_graph *graph, uint32_t entry,
			      const struct itp_flow_blocks *walls,
			      const struct itp_flow_blocks *goals, GArray *exits);

/* How many bytes the graph takes on the heap, without rows. */
size_t itp_flow_graph_bytes(const struct itp_flow_graph *graph);

#endif
