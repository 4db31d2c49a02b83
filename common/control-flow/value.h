/* SPDX-License-Identifier: MIT */
/*
 * Registers along a straight piece of x86-64 code, as far as it matters for finding jump tables:
 * copies, constants, bounds from comparisons, and loads from tables.
 */
#ifndef ITP_CONTROL_FLOW_VALUE_H
#define ITP_CONTROL_FLOW_VALUE_H

#include "common/control-flow/values.h"

void itp_flow_values_init(struct itp_flow_values *values);

/* Carries out an instruction of `decoder`. */
void itp_flow_values_step(struct itp_flow_values *values, struct itp_flow_decoder *decoder,
			  const cs_insn *instruction);

/* A conditional jump was taken, or not. */
void itp_flow_values_branch(struct itp_flow_values *values, const cs_insn *jump, bool is_taken);

/* Makes registers unknown that a called function may change, except its result. */
void itp_flow_values_call(struct itp_flow_values *values, bool is_system_call);

/* Target of an indirect jump. */
struct itp_flow_value itp_flow_values_target(struct itp_flow_values *values, const cs_insn *jump);

/* False when nothing bounds the index `id`. */
bool itp_flow_values_bound(const struct itp_flow_values *values, uint32_t id,
			   uint64_t *ret_highest);

#endif
