/* SPDX-License-Identifier: MIT */
/*
 * The basic blocks of one function, and which of them control can come to.
 *
 * Calls and system calls end a block. What is not known is in the graph too: a block with a cause
 * leads to somewhere else as well.
 */
#ifndef ITP_CONTROL_FLOW_GRAPH_H
#define ITP_CONTROL_FLOW_GRAPH_H

#include <glib.h>
#include <stdbool.h>
#include <stdint.h>

/* Why nobody knows where a block leads. */
enum itp_flow_cause {
	ITP_FLOW_KNOWN,
	/* A jump to what a register says, which is neither a jump table nor a tail call. */
	ITP_FLOW_INDIRECT_JUMP,
	/* Bytes that are no instruction, or one that Capstone does not know. */
	ITP_FLOW_UNDECODED,
	/* A jump to where no function is. */
	ITP_FLOW_STRAY_JUMP,
	/* A call that does not come back to where it was made. */
	ITP_FLOW_STRANGE_CALL,
	/* An exception table that cannot be read. */
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
	/* In `successors`; they end where those of the next block begin. */
	uint32_t first_successor;
	/* enum itp_flow_kind of the last instruction. */
	uint8_t kind;
	/* enum itp_flow_cause. */
	uint8_t cause;
};

struct itp_flow_graph {
	/* Sorted by start, and one more with the end of `successors`. Owned by this. */
	struct itp_flow_block *blocks;
	uint32_t block_count;
	/* Numbers of blocks. Owned by this. */
	uint32_t *successors;
	/* Of the number of a block to what can be reached behind it. Owned by this. */
	GHashTable *rows;
};

void itp_flow_graph_free(struct itp_flow_graph *graph);

/* Of the first block that does not know where it leads, by cause. */
enum itp_flow_cause itp_flow_graph_cause(const struct itp_flow_graph *graph);

/* Number of the first block that begins at or behind `start`, block_count if there is none. */
uint32_t itp_flow_graph_find(const struct itp_flow_graph *graph, uint32_t start);

/* Whether control can go from the end of block `from` to the beginning of `to`. *ret_is_complete
 * tells whether that can be known. *bytes grows by what is kept of the answer. */
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

/* Whether control may come from the beginning of block `entry` to the beginning of one of `goals`,
 * or, if there is none of these, to where the function returns, without having passed the end of
 * one of `walls`, or, if there are any, of a system call. True when that is not known. If not, the
 * blocks are appended to *exits from which it may jump to another function then. */
bool itp_flow_graph_may_avoid(const struct itp_flow_graph *graph, uint32_t entry,
			      const struct itp_flow_blocks *walls,
			      const struct itp_flow_blocks *goals, GArray *exits);

/* How many bytes the graph takes on the heap, without rows. */
size_t itp_flow_graph_bytes(const struct itp_flow_graph *graph);

#endif
