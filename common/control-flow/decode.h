/* SPDX-License-Identifier: MIT */
/*
 * One instruction at a time, through Capstone: how long it is and where it can lead.
 *
 * Nothing is guessed: an instruction that Capstone does not know, or is known to get wrong, is
 * ITP_FLOW_UNCLEAR and ends what can be said about the code that leads to it.
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
	/* To what a register or memory says; if that is memory at a fixed place, `target`. */
	ITP_FLOW_JUMP_INDIRECT,
	ITP_FLOW_CALL,
	/* Like ITP_FLOW_JUMP_INDIRECT. */
	ITP_FLOW_CALL_INDIRECT,
	ITP_FLOW_SYSTEM_CALL,
	/* Returns to the caller. */
	ITP_FLOW_RETURN,
	/* Control does not go on behind it. */
	ITP_FLOW_STOP,
	/* Like a call that usually does not return: a breakpoint, or a statement that the code
	 * behind cannot be reached, and which some handlers step over. */
	ITP_FLOW_TRAP,
	/* Nothing is known of what follows. */
	ITP_FLOW_UNCLEAR,
};

struct itp_flow_instruction {
	uint64_t vaddr;
	/* 0 when there is none. */
	uint64_t target;
	/* An address that the instruction makes without using it, or 0. */
	uint64_t mentioned;
	/* `mentioned` is a number, which need not be an address. */
	bool is_number;
	/* Does nothing, as what lies between functions. */
	bool is_padding;
	uint8_t size;
	/* enum itp_flow_kind. */
	uint8_t kind;
};

struct itp_flow_decoder;

/* NULL when Capstone was built without this architecture. */
struct itp_flow_decoder *itp_flow_decoder_new(enum itp_architecture architecture);
void itp_flow_decoder_free(struct itp_flow_decoder *decoder);

/* Decodes what stands at the beginning of `bytes`. */
struct itp_flow_instruction itp_flow_decode(struct itp_flow_decoder *decoder,
					    struct itp_bytes bytes, uint64_t vaddr);

/* The same in all detail; NULL for what Capstone does not know. Valid until the next call. */
const cs_insn *itp_flow_decode_detail(struct itp_flow_decoder *decoder, struct itp_bytes bytes,
				      uint64_t vaddr);

/* Registers that an instruction from itp_flow_decode_detail() writes. */
void itp_flow_written_registers(struct itp_flow_decoder *decoder, const cs_insn *instruction,
				cs_regs ret_written, uint8_t *ret_count);

/* Execution that resumes at an address is in a call or a system call if one ends there. */
static inline bool itp_flow_is_call(enum itp_flow_kind kind)
{
	return kind == ITP_FLOW_CALL || kind == ITP_FLOW_CALL_INDIRECT ||
	       kind == ITP_FLOW_SYSTEM_CALL;
}

#endif
