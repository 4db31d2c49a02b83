/* SPDX-License-Identifier: MIT */
/*
 * Contents of instructions' operands. Internal to value.c.
 */
#ifndef ITP_CONTROL_FLOW_OPERAND_H
#define ITP_CONTROL_FLOW_OPERAND_H

#include "common/control-flow/values.h"

struct itp_flow_register {
	x86_reg name;
	uint8_t number;
	/* Width in bytes, 0 for bits 8 to 15, which are unknown. */
	uint8_t bytes;
};

/* General register of a name, NULL for other registers. */
const struct itp_flow_register *itp_flow_find_register(unsigned int name);

/* Unknown value. */
struct itp_flow_value itp_flow_fresh(struct itp_flow_values *values, uint8_t width);

/* The low bytes of a value. */
struct itp_flow_value itp_flow_truncate(struct itp_flow_values *values, struct itp_flow_value value,
					uint8_t bytes);

struct itp_flow_value itp_flow_read_register(struct itp_flow_values *values, x86_reg name);
void itp_flow_write_register(struct itp_flow_values *values, x86_reg name,
			     struct itp_flow_value value);

/* Content of an operand, loaded if need be. */
struct itp_flow_value itp_flow_read_operand(struct itp_flow_values *values,
					    const cs_insn *instruction, const cs_x86_op *operand);

/* Sets *ret_place to a memory operand's place. False for memory not told from other memory by a
 * base and a displacement. */
bool itp_flow_find_place(const struct itp_flow_values *values, const cs_insn *instruction,
			 const x86_op_mem *memory, struct itp_flow_place *ret_place);
void itp_flow_remember_place(struct itp_flow_values *values, const struct itp_flow_place *place);

#endif
