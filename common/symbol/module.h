/* SPDX-License-Identifier: MIT */
/*
 * One mapped file of a recording and its symbols, which are read when they are first needed.
 *
 * Look-ups are not cached here (symbolizer.c does that). The file is used only if it is the one
 * that was mapped, as far as its build id tells: no name is better than a wrong one.
 */
#ifndef ITP_SYMBOL_MODULE_H
#define ITP_SYMBOL_MODULE_H

#include "common/infer/function-table.h"

#include <stdbool.h>

struct itp_cfi;
struct itp_module;

/* Set beside a function's id when it has no name of its own. */
#define ITP_FUNCTION_UNNAMED (UINT32_C(1) << 31)

/* `path` as recorded; `symfs` (may be NULL) is put before it to find the file. `build_id` is the
 * recorded one or "". `mapped_bytes` is what is mapped of it: the vdso, which is no file, is known
 * by its size. `functions` is weak and must outlive the result. */
struct itp_module *itp_module_new(const char *path, const char *build_id, const char *symfs,
				  uint64_t mapped_bytes, struct itp_function_table *functions);
void itp_module_free(struct itp_module *module);

/* Id of the function at `offset` of the file, perhaps with ITP_FUNCTION_UNNAMED. */
uint32_t itp_module_function(struct itp_module *module, uint64_t offset);

/* The unwind rules for the code at `offset` of the file, and its virtual address there; NULL when
 * there are none. Weak. */
struct itp_cfi *itp_module_cfi(struct itp_module *module, uint64_t offset, uint64_t *ret_vaddr);

#endif
