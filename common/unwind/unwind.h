/* SPDX-License-Identifier: MIT */
/*
 * From a sample's user registers and the copied top of its user stack to the addresses of its
 * frames (`perf record --call-graph dwarf`).
 *
 *   unwind.c        steps from frame to frame
 *   call-site.c     where functions without rules were called
 *   unwind-vdso.c   the file that the kernel's own code in each process has not got
 *   cfi.c           rules of one file
 *   registers.c     register numbers
 *
 * What is mapped where is left to the caller, who says which file's rules hold at an address.
 * Memory outside of the copy is never made up: a stack that needs it ends there and says so.
 */
#ifndef ITP_UNWIND_UNWIND_H
#define ITP_UNWIND_UNWIND_H

#include "common/unwind/call-site.h"
#include "common/unwind/cfi.h"

/* Deeper stacks are cut off, as recursion without end makes them. */
#define ITP_UNWIND_MAX_FRAMES 1024

struct itp_unwind_input {
	enum itp_architecture architecture;
	/* Equal numbers mean that equal addresses resolve equally; not 0. */
	uint32_t layout;
	/* As recorded: sample_regs_user of the attribute, and one value for each of its bits. */
	uint64_t register_mask;
	size_t register_count;
	/* Weak. */
	const uint64_t *registers;
	/* What the kernel really copied (dyn_size, not size), beginning at the stack pointer.
	 * Weak. */
	const void *stack;
	size_t stack_bytes;
};

/* How an address was found, from what is sure to what is guessed. */
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
	/* The thread stood at the address (leaf, interrupted by a signal). Others are return
	 * addresses, and what is called there is to be looked up at address - 1. */
	bool is_exact;
};

enum itp_unwind_end {
	/* The frame that says it has no caller: the thread's first. */
	ITP_UNWIND_ROOT,
	/* The copy ends before the stack does. */
	ITP_UNWIND_DEPTH,
	/* No rule holds there and the frame pointer leads nowhere, or a rule cannot be used. */
	ITP_UNWIND_NO_RULE,
	/* The stack contradicts itself, or nothing executable is mapped at the last address. */
	ITP_UNWIND_BAD,
	/* There are more than `max` frames. */
	ITP_UNWIND_LIMIT,
};

struct itp_unwind_place {
	/* NULL when the file has no rules, or is not at hand. Weak; must stay for as long as the
	 * unwinder does. */
	struct itp_cfi *cfi;
	/* In the file's own addresses. */
	uint64_t vaddr;
	/* Where there is no file: what holds at the address, NULL when that is not known. Weak, as
	 * above. */
	const struct itp_cfi_row *row;
};

/* Where `address` lies in the address space at hand; false when nothing executable is mapped there.
 * The same file may be mapped as data too, which must not be taken into account. */
typedef bool itp_unwind_resolve(void *data, uint64_t address, struct itp_unwind_place *ret_place);

/* The code at `address`; false when it is not at hand. */
typedef bool itp_unwind_find_code(void *data, uint64_t address, struct itp_unwind_code *ret_code);

struct itp_unwinder;

/* Holds what was resolved before; one for all processes. */
struct itp_unwinder *itp_unwinder_new(itp_unwind_resolve *resolve, itp_unwind_find_code *find_code);
void itp_unwinder_free(struct itp_unwinder *unwinder);

/* Writes up to `max` frames, leaf first, and returns their number; `data` goes to both. The
 * first frame needs nothing but registers, so that only unusable ones (of 32-bit processes, say)
 * give no frame at all, with ITP_UNWIND_BAD. */
size_t itp_unwind(struct itp_unwinder *unwinder, const struct itp_unwind_input *input, void *data,
		  struct itp_unwound_frame *frames, size_t max, enum itp_unwind_end *ret_end);

/* Opens the running kernel's vdso as the file that a recording of `mapped_bytes` at "[vdso]" lacks,
 * if it has the same size and, where that is recorded, the same `build_id` ("" otherwise). Returns
 * ITP_ERROR_IO when there is none or it is another. */
int itp_unwind_open_vdso(struct itp_elf_image *image, uint64_t mapped_bytes, const char *build_id);
/* How many bytes of it are mapped in each process; 0 where there is none. */
uint64_t itp_unwind_vdso_bytes(void);

#endif
