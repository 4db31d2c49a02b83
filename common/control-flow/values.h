/* SPDX-License-Identifier: MIT */
/*
 * Values known of registers and of places in memory, at a place in x86-64 code.
 */
#ifndef ITP_CONTROL_FLOW_VALUES_H
#define ITP_CONTROL_FLOW_VALUES_H

#include "common/control-flow/decode.h"

#define ITP_FLOW_REGISTERS 16
/* Of how many values and places in memory something is remembered; the oldest goes first. */
#define ITP_FLOW_MAX_BOUNDS 8
#define ITP_FLOW_MAX_PLACES 4

enum itp_flow_value_kind {
	/* Unknown value; `id` tells it from others. */
	ITP_FLOW_VALUE_OPAQUE,
	/* `number`. */
	ITP_FLOW_VALUE_CONSTANT,
	/* Loaded as a whole pointer from memory, not from a known table. */
	ITP_FLOW_VALUE_POINTER,
	/* `id` times 4 or 8, the index of a table. */
	ITP_FLOW_VALUE_SCALED,
	/* Element of 4 bytes of a table, without and with its sign. */
	ITP_FLOW_VALUE_SHORT_ELEMENT,
	ITP_FLOW_VALUE_ELEMENT,
	/* An element of 4 bytes with its sign, plus the address of the table. */
	ITP_FLOW_VALUE_PLACE,
	/* An element of 8 bytes of a table. */
	ITP_FLOW_VALUE_WIDE_ELEMENT,
};

struct itp_flow_value {
	enum itp_flow_value_kind kind;
	/* Up to ITP_FLOW_REGISTERS: content of a register in the beginning, counted from 1. Of
	 * elements, the index. */
	uint32_t id;
	/* Number of the low bits taken from `id`; the others are 0. */
	uint8_t width;
	/* Of SCALED. */
	uint8_t scale;
	/* Of elements: the register with the table's address, in place of `number`. */
	uint8_t base_id;
	/* Of constants, and of elements the table's address. */
	uint64_t number;
};

struct itp_flow_bound {
	uint32_t id;
	uint64_t highest;
};

struct itp_flow_place {
	uint32_t base_id;
	int64_t displacement;
	uint8_t size;
	struct itp_flow_value value;
};

struct itp_flow_values {
	struct itp_flow_value registers[ITP_FLOW_REGISTERS];
	struct itp_flow_bound bounds[ITP_FLOW_MAX_BOUNDS];
	struct itp_flow_place places[ITP_FLOW_MAX_PLACES];
	uint32_t bound_count;
	uint32_t place_count;
	uint32_t last_id;
	/* Comparison that set the flags; its id is 0 when unknown. */
	struct itp_flow_bound compared;
	/* No bit is set that would make it negative. */
	bool is_compared_unsigned;
};

#endif
