/* SPDX-License-Identifier: MIT */
/*
 * The code to which a signal handler returns, known by its bytes: runtimes with code of their own
 * (Go's, some C libraries) have no rules for it, or rules of a function.
 */
#ifndef ITP_UNWIND_CFI_SIGNAL_H
#define ITP_UNWIND_CFI_SIGNAL_H

#include "common/unwind/cfi-row.h"

/* True, with the row in *ret_row, when the code at `vaddr` does nothing but return from a handler.
 * Unlike tables, it needs no byte before it. x86-64 only: arm64's code lies in the vdso. */
bool itp_cfi_signal_return(const struct itp_elf_image *image, enum itp_architecture architecture,
			   uint64_t vaddr, struct itp_cfi_row *ret_row);

/* True when the code may be at an address in [begin, end), or at the address before. */
bool itp_cfi_is_near_signal_return(const struct itp_elf_image *image,
				   enum itp_architecture architecture, uint64_t begin,
				   uint64_t end);

#endif
