/* SPDX-License-Identifier: MIT */
/*
 * From places in the code to the blocks of a graph, and back. Internal to control-flow.c.
 */
#ifndef ITP_CONTROL_FLOW_POINT_H
#define ITP_CONTROL_FLOW_POINT_H

#include "common/control-flow/code.h"
#include "common/control-flow/control-flow.h"

/* The blocks that a frame suspended at `point` is in. */
struct itp_flow_blocks itp_flow_blocks_of(const struct itp_flow_code *code,
					  const struct itp_flow_graph *graph,
					  struct itp_flow_point point);

/* Where the jump that ends `block` leads; 0 when it does not tell, or to another file. */
uint64_t itp_flow_jump_target(const struct itp_flow_code *code, const struct itp_flow_block *block);

#endif
