/* SPDX-License-Identifier: MIT */
/*
 * Decoding of single instructions, through Capstone: their length, and their next instructions.
 *
 * Nothing is guessed: an instruction unknown to Capstone, or known to be decoded wrongly, is
 * ITP_FLOW_UNCLEAR and makes code that leads to it uncertain.
 */
#ifndef ITP_CONTROL_FLOW_DECODE_H
#define ITP_CONTROL_FLOW_DECODE_H

#include "common/elf/bytes.h"
#include "common/unwind/registers.h"

#include <capstone/capstone.h>

enum itp_flow_kind {
	/* Goes on with the next instruction. */
	ITP_FLOW_PLAIN,
	/* Goes on with the next instruction or with `target`. */
	ITP_FLOW_CONDITIONAL,
	ITP_FLOW_JUMP,
	/* Jump to an address from a register or memory; `target` is the place of memory at a fixed
	 * one. */
	ITP_FLOW_JUMP_INDIRECT,
	ITP_FLOW_CALL,
	/* Like ITP_FLOW_JUMP_INDIRECT. */
	ITP_FLOW_CALL_INDIRECT,
	ITP_FLOW_SYSTEM_CALL,
	/* Returns to the caller. */
	ITP_FLOW_RETURN,
	/* Control ends. */
	ITP_FLOW_STOP,
	/* Usual end of control: a breakpoint, or a mark that the code behind cannot be reached.
	 * Some handlers step over either. */
	ITP_FLOW_TRAP,
	/* Unknown next instruction. */
	ITP_FLOW_UNCLEAR,
};

struct itp_flow_instruction {
	uint64_t vaddr;
	/* Target of a jump or call, 0 without any. */
	uint64_t target;
	/* Address made by the instruction without being used, or 0. */
	uint64_t mentioned;
	/* `mentioned` is a number, perhaps not an address. */
	bool is_number;
	/* Filling between functions, without effect. */
	bool is_padding;
	uint8_t size;
	/* enum itp_flow_kind. */
	uint8_t kind;
};

struct itp_flow_decoder;

/* Decoder; NULL when Capstone was built without the architecture. */
struct itp_flow_decoder *itp_flow_decoder_new(enum itp_architecture architecture);
void itp_flow_decoder_free(struct itp_flow_decoder *decoder);

/* Decodes the instruction at the beginning of `bytes`. */
struct itp_flow_instruction itp_flow_decode(struct itp_flow_decoder *decoder,
					    struct itp_bytes bytes, uint64_t vaddr);

/* Decodes in all detail; NULL for instructions unknown to Capstone. Valid until the next call. */
const cs_insn *itp_flow_decode_detail(struct itp_flow_decoder *decoder, struct itp_bytes bytes,
				      uint64_t vaddr);

/* Registers that an instruction from itp_flow_decode_detail() writes. */
void itp_flow_written_registers(struct itp_flow_decoder *decoder, const cs_insn *instruction,
				cs_regs ret_written, uint8_t *ret_count);

/* True when execution that resumes behind an instruction is in a call or a system call. */
static inline bool itp_flow_is_call(enum itp_flow_kind kind)
{
	return kind == ITP_FLOW_CALL || kind == ITP_FLOW_CALL_INDIRECT ||
	       kind == ITP_FLOW_SYSTEM_CALL;
}

#endif
