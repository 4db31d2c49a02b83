/* SPDX-License-Identifier: MIT */
/*
 * Functions by addresses of an ELF file.
 *
 * Names come from .symtab and .dynsym, without symbol versions; of a stripped Go program from its
 * own tables. Where no symbol covers an address, the unwind tables still tell the function's start.
 */
#ifndef ITP_SYMBOL_ELF_SYMBOLS_H
#define ITP_SYMBOL_ELF_SYMBOLS_H

#include "common/elf/image.h"
#include "common/symbol/kernel-image.h"
#include "common/symbol/symbol-table.h"
#include "common/unwind/cfi.h"

struct itp_elf_symbols {
	struct itp_elf_image image;
	/* Debug file of `image`, zeroed without any. */
	struct itp_elf_image names;
	/* Unwind tables; NULL for a file without any, and for the kernel. Owned by this. */
	struct itp_cfi *cfi;
	/* Owner of the names of a kernel without names in its file, else NULL. Owned by this. */
	struct itp_kallsyms *kallsyms;
	/* Of a kernel. */
	struct itp_kernel_tables tables;
	struct itp_symbol_table table;
	/* Range of Go's code; both 0 in other files. */
	uint64_t go_begin;
	uint64_t go_end;
	/* Stacks begin at functions that are known by their names: `cfi` is complete when these
	 * were read. */
	bool has_named_beginnings;
};

/* Facts about the function at an address. */
struct itp_elf_function {
	/* NULL when no symbol covers the address. Not terminated. Weak. */
	const char *name;
	uint32_t name_length;
	/* Begin of the function, or the address itself if unknown. Virtual address. */
	uint64_t start;
	/* Function comes from Go's compiler. */
	bool is_go;
};

/* A file without its names: its symbol table may be many times as large as its unwind tables.
 * Owned by the caller; NULL with *ret_error set when the file cannot be read. */
struct itp_elf_symbols *itp_elf_symbols_open(const char *path, enum itp_error *ret_error);
/* Reads the names in the file itself, once. */
void itp_elf_symbols_read(struct itp_elf_symbols *symbols);
/* Both: a file with its names; of a kernel, also those beside it. */
struct itp_elf_symbols *itp_elf_symbols_new(const char *path, enum itp_error *ret_error);
/* Symbols of the running kernel's vdso; NULL unless it is the recorded vdso, of which
 * `mapped_bytes` were mapped. */
struct itp_elf_symbols *itp_elf_symbols_new_vdso(uint64_t mapped_bytes, const char *build_id);
/* Adds the symbols of a debug file, once. Takes and zeroes *names. */
void itp_elf_symbols_take_names(struct itp_elf_symbols *symbols, struct itp_elf_image *names);
void itp_elf_symbols_free(struct itp_elf_symbols *symbols);

/* True when a file has become shorter: bytes read from it may be zeros. */
bool itp_elf_symbols_have_changed(const struct itp_elf_symbols *symbols);

/* Gives back the memory of mapped files, until the next read there. */
void itp_elf_symbols_forget(const struct itp_elf_symbols *symbols);

struct itp_elf_function itp_elf_symbols_find(const struct itp_elf_symbols *symbols, uint64_t vaddr);

#endif
