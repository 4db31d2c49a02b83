/* SPDX-License-Identifier: MIT */
/*
 * From a sample's user registers and the copied top of its user stack to the addresses of its
 * frames (`perf record --call-graph dwarf`).
 *
 *   unwind.c            steps from frame to frame
 *     call-site.c         callers of functions without rules
 *     unwind-vdso.c       the vdso, a file in the memory of each process only
 *   cfi.c               rules of a file
 *     cfi-entry.c         entries; cfi-program.c: rows of rules from their instructions
 *     cfi-expression.c    rules that are expressions
 *     cfi-signal.c        returns from signal handlers
 *   frame-pointers.c    whether a file keeps frame pointers
 *   step-table.c        rules of a file as steps, for programs in the kernel
 *   registers.c         register numbers
 *
 * Mappings are left to the caller, who gives the file whose rules hold at an address. Memory
 * outside of the copy is never made up: a stack in need of it ends there, with ITP_UNWIND_DEPTH.
 */
#ifndef ITP_UNWIND_UNWIND_H
#define ITP_UNWIND_UNWIND_H

#include "common/unwind/call-site.h"
#include "common/unwind/cfi.h"

/* Most frames; deeper stacks are cut off, such as of endless recursion. */
#define ITP_UNWIND_MAX_FRAMES 1024

struct itp_unwind_input {
	enum itp_architecture architecture;
	/* Equal numbers mean that equal addresses resolve equally; not 0. */
	uint32_t layout;
	/* Recorded registers: sample_regs_user of the attribute, and a value for each of its
	 * bits. */
	uint64_t register_mask;
	size_t register_count;
	/* Weak. */
	const uint64_t *registers;
	/* Bytes really copied by the kernel (dyn_size, not size), from the stack pointer on.
	 * Weak. */
	const void *stack;
	size_t stack_bytes;
};

/* Evidence for an address, from the surest to a guess. */
enum itp_unwind_how {
	ITP_UNWIND_REGISTERS,
	ITP_UNWIND_RULE,
	ITP_UNWIND_EXPRESSION,
	ITP_UNWIND_FRAME_POINTER,
	/* By the call in front of an address on the stack. */
	ITP_UNWIND_CALL_SITE,
};

struct itp_unwound_frame {
	uint64_t address;
	uint8_t how;
	/* The thread stood at the address (leaf, interrupted by a signal). Other addresses are
	 * return addresses; look up the call at address - 1. */
	bool is_exact;
};

enum itp_unwind_end {
	/* A frame without a caller: the thread's first. */
	ITP_UNWIND_ROOT,
	/* The copy ends before the stack does. */
	ITP_UNWIND_DEPTH,
	/* No rule at the address, and a frame pointer that leads nowhere; or an unusable rule. */
	ITP_UNWIND_NO_RULE,
	/* The stack contradicts itself, or nothing executable is mapped at the last address. */
	ITP_UNWIND_BAD,
	/* More than `max` frames. */
	ITP_UNWIND_LIMIT,
};

struct itp_unwind_place {
	/* Rules of the file; NULL when the file has none, or is not at hand. Weak; must live as
	 * long as the unwinder. */
	struct itp_cfi *cfi;
	/* Address in the file. */
	uint64_t vaddr;
	/* Rules at the address without a file; NULL when unknown. Weak, and as lasting as `cfi`. */
	const struct itp_cfi_row *row;
};

/* Finds the file and address of `address`; false without an executable mapping. Mappings of files
 * as data must not be taken into account. */
typedef bool itp_unwind_resolve(void *data, uint64_t address, struct itp_unwind_place *ret_place);

/* Finds the code at `address`; false when not at hand. */
typedef bool itp_unwind_find_code(void *data, uint64_t address, struct itp_unwind_code *ret_code);

struct itp_unwinder;

/* Keeps resolved addresses; one unwinder serves all processes. */
struct itp_unwinder *itp_unwinder_new(itp_unwind_resolve *resolve, itp_unwind_find_code *find_code);
void itp_unwinder_free(struct itp_unwinder *unwinder);

/* Writes up to `max` frames, leaf first, and returns their number; `data` goes to both functions.
 * The first frame needs nothing but registers, so only unusable registers (of 32-bit processes,
 * say) give no frame at all, with ITP_UNWIND_BAD. */
size_t itp_unwind(struct itp_unwinder *unwinder, const struct itp_unwind_input *input, void *data,
		  struct itp_unwound_frame *frames, size_t max, enum itp_unwind_end *ret_end);

/* Opens the running kernel's vdso as the missing file of a recording with `mapped_bytes` at
 * "[vdso]", if its size is equal and, when recorded, its `build_id` ("" otherwise). Returns
 * ITP_ERROR_IO without a vdso, or for another. */
int itp_unwind_open_vdso(struct itp_elf_image *image, uint64_t mapped_bytes, const char *build_id);
/* Bytes of the vdso mapped in each process; 0 without. */
uint64_t itp_unwind_vdso_bytes(void);

#endif
