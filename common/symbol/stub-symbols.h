/* SPDX-License-Identifier: MIT */
/*
 * Stubs of the procedure linkage table: a call of another file's function jumps on through a slot
 * that the dynamic linker has filled. A file has no symbols for its stubs, and they lie elsewhere
 * in each build; they are named after the function, as perf and objdump do: "malloc@plt".
 */
#ifndef ITP_SYMBOL_STUB_SYMBOLS_H
#define ITP_SYMBOL_STUB_SYMBOLS_H

#include "common/elf/image.h"
#include "common/symbol/symbol-table.h"

/* Adds the stubs of a file of x86-64; of others none. `names` owns their names. */
void itp_stub_symbols_add(const struct itp_elf_image *image, GStringChunk *names,
			  struct itp_symbol_table *table);

#endif
