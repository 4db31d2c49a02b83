/* SPDX-License-Identifier: MIT */
/*
 * Code that the kernel took in while it ran, which comes and goes: BPF programs and their
 * trampolines, and what traces functions.
 *
 * A recording tells when each came, and where it lay. What lies there when the recording is read
 * may be another one. The kernel itself and its modules are left to kernel.h.
 */
#ifndef ITP_SYMBOL_KERNEL_PROGRAMS_H
#define ITP_SYMBOL_KERNEL_PROGRAMS_H

#include "common/base/function-table.h"

#include <stdbool.h>

struct itp_kernel_programs;

/* `functions` is weak and must outlive the result. */
struct itp_kernel_programs *itp_kernel_programs_new(struct itp_function_table *functions);
void itp_kernel_programs_free(struct itp_kernel_programs *programs);

/* From now on the function `name` of `module` has `length` bytes from `start` on, instead of what
 * overlaps it. Without a length it is nowhere. `module` must outlive the programs. */
void itp_kernel_programs_add(struct itp_kernel_programs *programs, uint64_t start, uint64_t length,
			     const char *module, const char *name);

/* Whether `address` belongs to one of them. *ret_function is its id. */
bool itp_kernel_programs_find(struct itp_kernel_programs *programs, uint64_t address,
			      uint32_t *ret_function);

#endif
