/* SPDX-License-Identifier: MIT */
/*
 * A mapped file of a recording and its symbols, which are read at first need.
 *
 * Look-ups are not cached here (symbolizer.c does). A file is used only if its build id does not
 * contradict the mapped file's: no name is better than a wrong one.
 *
 * Memory without a file is a module too: the vdso, code made by a process while it ran and, with
 * the path "", memory of unknown content.
 */
#ifndef ITP_SYMBOL_MODULE_H
#define ITP_SYMBOL_MODULE_H

#include "common/base/function-table.h"
#include "common/symbol/mapped-file.h"
#include "common/symbol/symbol-files.h"

#include <stdbool.h>

struct itp_cfi;
struct itp_cfi_row;
struct itp_debug_link;
struct itp_elf_symbols;
struct itp_debuginfod;
struct itp_inlined_chain;
struct itp_module;

/* Facts of the recording about a module. All pointers are weak, and NULL only where noted. */
struct itp_module_origin {
	/* Path as recorded. */
	const char *path;
	/* Build id as recorded, or "". */
	const char *build_id;
	/* Debug link as recorded, NULL when unknown. */
	const struct itp_debug_link *debug_link;
	/* Put before `path` to find the file; may be NULL. */
	const char *symfs;
	/* Asked for files that are not at hand; may be NULL. Must outlive the module. */
	struct itp_debuginfod *debuginfod;
	/* Process whose own map names the functions of memory without a file. */
	int32_t pid;
	/* File mapped by the process; without an inode when unknown. */
	struct itp_mapped_file mapped;
	/* Mapped bytes, 0 when unknown: the vdso is known by its size. */
	uint64_t mapped_bytes;
	/* The recording was made under the kernel running here now. */
	bool is_running_kernel;
	/* Show names as in the source. */
	bool demangle;
	/* Tell inlined functions. */
	bool inlines;
};

/* True for memory without a file, where functions are found only by their addresses. Their
 * "offsets" are these addresses. */
bool itp_module_is_anonymous(const char *path);

/* Begin of the kernel's names for files in memory. */
#define ITP_MEMORY_FILE "/memfd:"

/* `functions` is weak and must outlive the result. */
struct itp_module *itp_module_new(const struct itp_module_origin *origin,
				  struct itp_function_table *functions);
void itp_module_free(struct itp_module *module);

/* Path as recorded. Weak. */
const char *itp_module_path(const struct itp_module *module);

/* True for memory without a file. */
bool itp_module_is_memory(const struct itp_module *module);

/* Id of the function at `offset` of the file. In memory without a file another function may follow,
 * and `*ret_is_lasting` is set to false; ask in the order of time. */
uint32_t itp_module_function(struct itp_module *module, uint64_t offset, bool *ret_is_lasting);

/* Id of the function at the file's own address `vaddr`. The file can be used. */
uint32_t itp_module_function_at(struct itp_module *module, uint64_t vaddr);

/* Functions inlined at `offset` of the file, by its debug data (inlines.h); NULL without any, where
 * they are not wanted, and in the system's libraries, which are known by their functions. Behind
 * itp_module_function(). Lives as long as the module. */
const struct itp_inlined_chain *itp_module_inlined(struct itp_module *module, uint64_t offset);

/* The file's own address of what lies at `offset`, as in its symbol table; the offset itself if the
 * file cannot be used. Behind itp_module_function(). */
uint64_t itp_module_address(const struct itp_module *module, uint64_t offset);

/* A part of a file that is mapped to be executed; all in whole pages. */
struct itp_module_code {
	uint64_t offset;
	uint64_t length;
	/* How far behind the beginning of the whole file in memory. */
	uint64_t distance;
};

/* Part `number`, from 0 on; false beyond the last, or without a file. */
bool itp_module_code(struct itp_module *module, guint number, struct itp_module_code *ret_code);

/* Everything known of the file's code; NULL when it cannot be used. Weak. */
const struct itp_elf_symbols *itp_module_symbols(struct itp_module *module);

/* File of the module without its names, for callers that can do without it: no warning says that
 * it is missing, and no server is asked for it. NULL when it is not at hand. Weak. */
const struct itp_elf_image *itp_module_image(struct itp_module *module);
/* File of the module with its names, for such callers: else itp_module_symbols(). */
const struct itp_elf_symbols *itp_module_peek(struct itp_module *module);

/* Unwind rules for the code at `offset` of the file, and its virtual address; NULL without any.
 * Weak. */
struct itp_cfi *itp_module_cfi(struct itp_module *module, uint64_t offset, uint64_t *ret_vaddr);

/* Unwind row of memory without a file, in code named by its maker, at `address`; NULL when unknown.
 * Static storage. */
const struct itp_cfi_row *itp_module_made_row(struct itp_module *module, uint64_t address);

/* Nothing is wrong with a module whose file was not needed yet. *ret_warning refers to the
 * module. */
bool itp_module_warning(const struct itp_module *module, struct itp_symbol_warning *ret_warning);

#endif
