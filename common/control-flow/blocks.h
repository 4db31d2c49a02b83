/* SPDX-License-Identifier: MIT */
/*
 * From instructions to a graph. Internal to explore.c.
 */
#ifndef ITP_CONTROL_FLOW_BLOCKS_H
#define ITP_CONTROL_FLOW_BLOCKS_H

#include "common/control-flow/follow.h"

/* The graph of all that has been followed so far. `walk` says when it is too large. */
struct itp_flow_graph *itp_flow_assemble(struct itp_flow_walk *walk);

/* Number of the block that begins at `offset`, ITP_FLOW_NOWHERE when there is none. */
uint32_t itp_flow_block_at(const struct itp_flow_graph *graph, uint32_t offset);

#endif
