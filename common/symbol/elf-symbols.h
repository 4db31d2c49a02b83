/* SPDX-License-Identifier: MIT */
/*
 * Which function an address of an ELF file belongs to.
 *
 * Names come from .symtab and .dynsym, without symbol versions; of a stripped Go program from what
 * it knows of itself. Where no symbol covers an
 * address, the unwind tables still tell the function's start.
 */
#ifndef ITP_SYMBOL_ELF_SYMBOLS_H
#define ITP_SYMBOL_ELF_SYMBOLS_H

#include "common/elf/image.h"
#include "common/symbol/kernel-image.h"
#include "common/symbol/symbol-table.h"
#include "common/unwind/cfi.h"

struct itp_elf_symbols {
	struct itp_elf_image image;
	/* The debug file of `image`, zeroed when there is none. */
	struct itp_elf_image names;
	/* NULL for a file without unwind tables, and for the kernel. Owned by this. */
	struct itp_cfi *cfi;
	/* Owner of the names of a kernel that has none in its file, else NULL. Owned by this. */
	struct itp_kallsyms *kallsyms;
	/* Of a kernel. */
	struct itp_kernel_tables tables;
	struct itp_symbol_table table;
	/* Where Go's code lies; both 0 in other files. */
	uint64_t go_begin;
	uint64_t go_end;
};

/* What is known about the function at an address. */
struct itp_elf_function {
	/* NULL when no symbol covers the address. Not terminated. Weak. */
	const char *name;
	uint32_t name_length;
	/* Where the function begins, or the address itself if nobody knows. Virtual address. */
	uint64_t start;
	/* Go's compiler has made it. */
	bool is_go;
};

/* Owned by the caller; NULL with *ret_error set when the file cannot be read. */
struct itp_elf_symbols *itp_elf_symbols_new(const char *path, enum itp_error *ret_error);
/* The same for the vdso of the running kernel; NULL unless it is the recorded one, of which
 * `mapped_bytes` were mapped. */
struct itp_elf_symbols *itp_elf_symbols_new_vdso(uint64_t mapped_bytes, const char *build_id);
/* Adds the symbols of a debug file, once. Takes what *names holds and zeroes it. */
void itp_elf_symbols_take_names(struct itp_elf_symbols *symbols, struct itp_elf_image *names);
void itp_elf_symbols_free(struct itp_elf_symbols *symbols);

/* A file has become shorter, so that something that was read of it may be zeros. */
bool itp_elf_symbols_have_changed(const struct itp_elf_symbols *symbols);

/* Lets the memory go that the files are mapped to, until something is read there again. */
void itp_elf_symbols_forget(const struct itp_elf_symbols *symbols);

struct itp_elf_function itp_elf_symbols_find(const struct itp_elf_symbols *symbols, uint64_t vaddr);

#endif
