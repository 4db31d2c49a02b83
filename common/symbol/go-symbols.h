/* SPDX-License-Identifier: MIT */
/*
 * The functions of a Go program, which it holds for its own stacks also when it is stripped.
 */
#ifndef ITP_SYMBOL_GO_SYMBOLS_H
#define ITP_SYMBOL_GO_SYMBOLS_H

#include "common/elf/image.h"
#include "common/symbol/symbol-table.h"

/* Adds those of the file, if the linker of Go 1.18 or later has made it and it is not position
 * independent. Names stay in the mapped file. */
void itp_go_symbols_add(const struct itp_elf_image *image, struct itp_symbol_table *table);

/* Where Go's code lies, from *ret_begin to *ret_end, of such a file; C's, which cgo has brought in,
 * lies before or behind it. False for all others. */
bool itp_go_symbols_code(const struct itp_elf_image *image, uint64_t *ret_begin, uint64_t *ret_end);

#endif
