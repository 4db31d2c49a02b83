/* SPDX-License-Identifier: MIT */
/*
 * From instructions to a graph. Internal to control-flow-explore.c.
 */
#ifndef ITP_SYMBOL_CONTROL_FLOW_BLOCKS_H
#define ITP_SYMBOL_CONTROL_FLOW_BLOCKS_H

#include "common/symbol/control-flow-follow.h"

/* The graph of all that has been followed so far. `walk` says when it is too large. */
struct itp_flow_graph *itp_flow_assemble(struct itp_flow_walk *walk);

/* Number of the block that begins at `offset`, ITP_FLOW_NOWHERE when there is none. */
uint32_t itp_flow_block_at(const struct itp_flow_graph *graph, uint32_t offset);

#endif
