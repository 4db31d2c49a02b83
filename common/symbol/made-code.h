/* SPDX-License-Identifier: MIT */
/*
 * Unwind rules of code that programs make while they run and that is always the same, so that
 * nobody has to read it: what Python puts under each of its functions when it runs for perf
 * (python3 -X perf). It keeps no frame pointer, nor has it tables.
 */
#ifndef ITP_SYMBOL_MADE_CODE_H
#define ITP_SYMBOL_MADE_CODE_H

#include "common/symbol/symbol-table.h"
#include "common/unwind/cfi.h"

/* What holds at `address` of the function, a program's own word for it; NULL when it is not known.
 * Static storage. */
const struct itp_cfi_row *itp_made_code_row(const struct itp_symbol *function, uint64_t address);

#endif
