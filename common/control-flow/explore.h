/* SPDX-License-Identifier: MIT */
/*
 * From the bytes of a function to its graph, and from places in the code to its blocks and back.
 *
 * Code is followed from its entries, jump by jump, also into other parts of the function; bytes
 * between functions are never looked at. Indirect jumps are resolved as far as the graph so far
 * allows (jump.c), which can make more code known, until nothing new turns up.
 */
#ifndef ITP_CONTROL_FLOW_EXPLORE_H
#define ITP_CONTROL_FLOW_EXPLORE_H

#include "common/control-flow/code.h"
#include "common/control-flow/graph.h"
#include "common/control-flow/point.h"

/* Graph of everything reached from `roots`, of uint64_t, the first of which is the function's
 * begin. NULL when it is too large or a root is in no function. *ret_step_count is the number of
 * instructions looked at. */
struct itp_flow_graph *itp_flow_explore(const struct itp_flow_code *code, const GArray *roots,
					uint64_t *ret_step_count);

/* Blocks of a frame suspended at `point`. */
struct itp_flow_blocks itp_flow_blocks_of(const struct itp_flow_code *code,
					  const struct itp_flow_graph *graph,
					  struct itp_flow_point point);

/* Target of the jump that ends `block`; 0 when unknown, or in another file. */
uint64_t itp_flow_jump_target(const struct itp_flow_code *code, const struct itp_flow_block *block);

#endif
