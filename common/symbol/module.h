/* SPDX-License-Identifier: MIT */
/*
 * One mapped file of a recording and its symbols, which are read when they are first needed.
 *
 * Look-ups are not cached here (symbolizer.c does that). A file is used only if it is the one
 * that was mapped, as far as its build id tells: no name is better than a wrong one.
 *
 * Memory that is no file is a module too: the vdso, what a process made while it ran and, with the
 * path "", memory of which nothing is known.
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
struct itp_module;

/* All weak; what may be NULL says so. */
struct itp_module_origin {
	/* As recorded. */
	const char *path;
	/* The recorded one, or "". */
	const char *build_id;
	/* The recorded one, NULL when not known. */
	const struct itp_debug_link *debug_link;
	/* Put before `path` to find the file; may be NULL. */
	const char *symfs;
	/* Asked for files that are not at hand; may be NULL. Must outlive the module. */
	struct itp_debuginfod *debuginfod;
	/* Of the process, whose own map names the functions of memory that is no file. */
	int32_t pid;
	/* What the process had mapped; without an inode when that is not known. */
	struct itp_mapped_file mapped;
	/* What is mapped of it, 0 when that is not known: the vdso is known by its size. */
	uint64_t mapped_bytes;
	/* The recording was made under the kernel that runs here now. */
	bool is_running_kernel;
	/* Show names as in the source. */
	bool demangle;
};

/* Memory without a file, where functions can only be found by their addresses. Their "offsets"
 * are these addresses. */
bool itp_module_is_anonymous(const char *path);

/* What the kernel calls a file that lies in memory only begins so. */
#define ITP_MEMORY_FILE "/memfd:"

/* `functions` is weak and must outlive the result. */
struct itp_module *itp_module_new(const struct itp_module_origin *origin,
				  struct itp_function_table *functions);
void itp_module_free(struct itp_module *module);

/* Whether it is memory without a file. */
bool itp_module_is_memory(const struct itp_module *module);

/* Id of the function at `offset` of the file. In memory without one it may be another later on,
 * where `*ret_is_lasting` is set to false; ask in the order of time. */
uint32_t itp_module_function(struct itp_module *module, uint64_t offset, bool *ret_is_lasting);

/* Id of the function at the file's own address `vaddr`. The file can be used. */
uint32_t itp_module_function_at(struct itp_module *module, uint64_t vaddr);

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

/* The part with this number, which counts from 0; false when there is none, or no file. */
bool itp_module_code(struct itp_module *module, guint number, struct itp_module_code *ret_code);

/* All that is known of the file's code; NULL when it cannot be used. Weak. */
const struct itp_elf_symbols *itp_module_symbols(struct itp_module *module);

/* As itp_module_symbols() for callers that can do without the file: nobody is warned that it is
 * missing, and no server is asked for it. */
const struct itp_elf_symbols *itp_module_peek(struct itp_module *module);

/* The unwind rules for the code at `offset` of the file, and its virtual address there; NULL when
 * there are none. Weak. */
struct itp_cfi *itp_module_cfi(struct itp_module *module, uint64_t offset, uint64_t *ret_vaddr);

/* The same for memory without a file, whose code its maker has named: what holds at `address`, NULL
 * when that is not known. Static storage. */
const struct itp_cfi_row *itp_module_made_row(struct itp_module *module, uint64_t address);

/* Nothing is wrong with a module whose file was not needed yet. *ret_warning refers to the
 * module. */
bool itp_module_warning(const struct itp_module *module, struct itp_symbol_warning *ret_warning);

#endif
