/* SPDX-License-Identifier: MIT */
/*
 * Runs the instructions of an entry up to an address. Internal to cfi.c.
 */
#ifndef ITP_UNWIND_CFI_PROGRAM_H
#define ITP_UNWIND_CFI_PROGRAM_H

#include "common/unwind/cfi-entry.h"
#include "common/unwind/cfi-row.h"

/* Makes the row at `vaddr`, an address of `function`. False for invalid instructions, and beyond a
 * limit. */
bool itp_cfi_run(const struct itp_cfi_section *section, const struct itp_cfi_function *function,
		 enum itp_architecture architecture, uint64_t vaddr, struct itp_cfi_row *ret_row);

/* Tells all rows of `function`, in the order of addresses and without gaps: equal to itp_cfi_run()
 * for each address, NULL where it fails. */
void itp_cfi_run_whole(const struct itp_cfi_section *section,
		       const struct itp_cfi_function *function, enum itp_architecture architecture,
		       itp_cfi_row_func *tell, void *data);

#endif
