/* SPDX-License-Identifier: MIT */
/*
 * From the bytes of a function to its graph.
 *
 * Code is followed from where it is entered, jump by jump, also into other parts of the function;
 * what lies between functions is never looked at. Indirect jumps are resolved as far as the graph
 * known so far allows (jump.c), which can make more code known, until nothing new
 * turns up.
 */
#ifndef ITP_CONTROL_FLOW_EXPLORE_H
#define ITP_CONTROL_FLOW_EXPLORE_H

#include "common/control-flow/code.h"
#include "common/control-flow/graph.h"

/* A graph of everything that can be reached from `roots`, of uint64_t, the first of which is where
 * the function begins. NULL when it is too large or a root is in no function. *ret_step_count
 * is the number of instructions that had to be looked at. */
struct itp_flow_graph *itp_flow_explore(const struct itp_flow_code *code, const GArray *roots,
					uint64_t *ret_step_count);

#endif
