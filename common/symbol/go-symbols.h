/* SPDX-License-Identifier: MIT */
/*
 * Functions of a Go program, from the tables for its own stacks, which a stripped program keeps.
 */
#ifndef ITP_SYMBOL_GO_SYMBOLS_H
#define ITP_SYMBOL_GO_SYMBOLS_H

#include "common/elf/image.h"
#include "common/symbol/symbol-table.h"

/* Adds the file's functions, if its linker is of Go 1.18 or later and it is not position
 * independent. Names stay in the mapped file. */
void itp_go_symbols_add(const struct itp_elf_image *image, struct itp_symbol_table *table);

/* Range of Go's code, from *ret_begin to *ret_end, in a file of Go's linker; C's code, brought in
 * by cgo, lies before or behind it. False for all other files. */
bool itp_go_symbols_code(const struct itp_elf_image *image, uint64_t *ret_begin, uint64_t *ret_end);

#endif
