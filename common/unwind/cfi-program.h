/* SPDX-License-Identifier: MIT */
/*
 * Runs the instructions of an entry up to one address. Internal to cfi.c.
 */
#ifndef ITP_UNWIND_CFI_PROGRAM_H
#define ITP_UNWIND_CFI_PROGRAM_H

#include "common/unwind/cfi-entry.h"
#include "common/unwind/cfi.h"

/* Makes the row that holds at `vaddr`, which `function` covers. False for instructions that make
 * no sense, or that exceed a limit. */
bool itp_cfi_run(const struct itp_cfi_section *section, const struct itp_cfi_function *function,
		 enum itp_architecture architecture, uint64_t vaddr, struct itp_cfi_row *ret_row);

/* Tells all rows of `function`, in the order of addresses and without gaps: as itp_cfi_run() makes
 * them for each address, NULL where it makes none. */
void itp_cfi_run_whole(const struct itp_cfi_section *section,
		       const struct itp_cfi_function *function, enum itp_architecture architecture,
		       itp_cfi_row_func *tell, void *data);

#endif
