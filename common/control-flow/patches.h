/* SPDX-License-Identifier: MIT */
/*
 * Places where a kernel changes its own code, and places behind faults that it expects.
 *
 * The image on disk has tables of them: jump labels (__jump_table), alternatives for other
 * processors (.altinstructions) and faults (__ex_table). With them a jump label is a branch with
 * two known ways, whatever the state of its key. Static calls, paravirtual calls and the calls of
 * tracers change a call's callee, not its return.
 *
 * A copy of the kernel's memory holds the code as it was, mostly without the tables. Anything there
 * that looks like a jump label may be one, and any access to the memory of programs may fault.
 */
#ifndef ITP_CONTROL_FLOW_PATCHES_H
#define ITP_CONTROL_FLOW_PATCHES_H

#include "common/control-flow/decode.h"
#include "common/control-flow/imports.h"
#include "common/symbol/elf-symbols.h"

enum itp_flow_patch {
	/* No patch: always as in the file, as far as control goes. */
	ITP_FLOW_PATCH_NONE,
	/* Goes on with the next instruction, or with the target. */
	ITP_FLOW_PATCH_BRANCH,
	/* Jump that goes on with the next instruction at other times. */
	ITP_FLOW_PATCH_MAY_NOT_JUMP,
	/* Unknown next instruction. */
	ITP_FLOW_PATCH_UNCLEAR,
};

struct itp_flow_patches;

/* NULL when the tables cannot be understood. `symbols` and `decoder` are weak and must outlive the
 * result. */
struct itp_flow_patches *itp_flow_patches_new(const struct itp_elf_symbols *symbols,
					      struct itp_flow_decoder *decoder,
					      struct itp_flow_range code);
void itp_flow_patches_free(struct itp_flow_patches *patches);

/* Possible replacement of `instruction` of a function that begins at `start`. *ret_target is set
 * for ITP_FLOW_PATCH_BRANCH. */
enum itp_flow_patch itp_flow_patches_find(const struct itp_flow_patches *patches, uint64_t start,
					  const struct itp_flow_instruction *instruction,
					  uint64_t *ret_target);

/* True when `vaddr` lies inside of a range replaced as a whole, where other instructions may
 * begin. */
bool itp_flow_patches_hold(const struct itp_flow_patches *patches, uint64_t vaddr);

/* A fault at `vaddr` goes on at `pad`. */
struct itp_flow_fault {
	uint64_t vaddr;
	uint64_t pad;
};

/* The faults in `range`: *ret_count of them. Owned by `patches`. */
const struct itp_flow_fault *itp_flow_patches_faults(const struct itp_flow_patches *patches,
						     struct itp_flow_range range,
						     size_t *ret_count);

/* Bytes on the heap. */
size_t itp_flow_patches_bytes(const struct itp_flow_patches *patches);

#endif
