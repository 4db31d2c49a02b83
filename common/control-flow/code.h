/* SPDX-License-Identifier: MIT */
/*
 * Code of a file, as far as control flow asks: begins and ends of functions' parts, and whether a
 * jump leaves its function.
 *
 * A "part" is a contiguous piece of a function: the range of an entry of .eh_frame, or of a symbol
 * where there is none. A function can have several, such as the cold part that compilers put far
 * away.
 */
#ifndef ITP_CONTROL_FLOW_CODE_H
#define ITP_CONTROL_FLOW_CODE_H

#include "common/control-flow/decode.h"
#include "common/control-flow/imports.h"
#include "common/control-flow/patches.h"
#include "common/symbol/elf-symbols.h"

/* Target of a jump out of a part. */
enum itp_flow_jump {
	/* Another part of the same function instance, for certain or perhaps. */
	ITP_FLOW_JUMP_STAYS,
	/* Another function, which returns to the caller of the present one. */
	ITP_FLOW_JUMP_LEAVES,
	ITP_FLOW_JUMP_UNCLEAR,
};

/* State of the stack by the unwind rules. */
enum itp_flow_stack {
	ITP_FLOW_STACK_UNKNOWN,
	/* Stack unchanged since the function was called. */
	ITP_FLOW_STACK_AS_CALLED,
	ITP_FLOW_STACK_DEEPER,
};

struct itp_flow_code {
	/* Weak. */
	const struct itp_elf_symbols *symbols;
	/* Owned by this. */
	struct itp_flow_decoder *decoder;
	struct itp_flow_imports *imports;
	/* Changes of a kernel to its code, NULL in programs. Owned by this. */
	struct itp_flow_patches *patches;
	/* Address of a function to its enum itp_flow_callee. Owned by this. */
	GHashTable *callees;
	/* From the first to the last byte of code. */
	struct itp_flow_range range;
	enum itp_architecture architecture;
	/* Numbers in the code may be addresses. */
	bool is_fixed;
};

/* False for a file whose control flow cannot be known: of another architecture, a kernel that is
 * not for x86-64 or has unknown tables, with a run-time system that moves control itself (Go), or,
 * of programs, without sections. */
bool itp_flow_code_init(struct itp_flow_code *code, const struct itp_elf_symbols *symbols);
void itp_flow_code_release(struct itp_flow_code *code);

/* Code from `vaddr` on; nothing without code there. */
struct itp_bytes itp_flow_code_at(const struct itp_flow_code *code, uint64_t vaddr);

struct itp_flow_instruction itp_flow_code_decode(const struct itp_flow_code *code, uint64_t vaddr);

/* False when nobody knows. */
bool itp_flow_code_part(const struct itp_flow_code *code, uint64_t vaddr,
			struct itp_flow_range *ret_part);

/* Begin of the function of `part`: elsewhere for a cold part. */
uint64_t itp_flow_code_home(const struct itp_flow_code *code, struct itp_flow_range part);

/* True when a call at `vaddr` in `part` can come back to the code right behind, `next`: nothing of
 * the function stands there when the callee never returns. */
bool itp_flow_code_comes_back(const struct itp_flow_code *code, struct itp_flow_range part,
			      uint64_t vaddr, uint64_t next);

/* Of a direct jump at `vaddr` in `part`. */
enum itp_flow_jump itp_flow_code_jump(const struct itp_flow_code *code, struct itp_flow_range part,
				      uint64_t vaddr, uint64_t target);

enum itp_flow_stack itp_flow_code_stack(const struct itp_flow_code *code, uint64_t vaddr);

/* Symbol that begins at `vaddr`, NULL when there is none. */
const struct itp_symbol *itp_flow_code_symbol(const struct itp_flow_code *code, uint64_t vaddr);

/* Name of the function in another file behind the linkage entry at `vaddr`; NULL when there is
 * none. */
const char *itp_flow_code_linkage_name(const struct itp_flow_code *code, uint64_t vaddr);

static inline bool itp_flow_range_holds(struct itp_flow_range range, uint64_t vaddr)
{
	return vaddr >= range.start && vaddr < range.end;
}

#endif
