/* SPDX-License-Identifier: MIT */
/*
 * Code taken in by the kernel while it ran, which comes and goes: BPF programs, their trampolines,
 * and tracers of functions.
 *
 * A recording tells time and place of each. Other code may lie there when the recording is read.
 * The kernel itself and its modules are left to kernel.h.
 */
#ifndef ITP_SYMBOL_KERNEL_PROGRAMS_H
#define ITP_SYMBOL_KERNEL_PROGRAMS_H

#include "common/base/function-table.h"

#include <stdbool.h>

struct itp_kernel_programs;

/* `functions` is weak and must outlive the result. */
struct itp_kernel_programs *itp_kernel_programs_new(struct itp_function_table *functions);
void itp_kernel_programs_free(struct itp_kernel_programs *programs);

/* From now on the function `name` of `module` has `length` bytes from `start` on, in place of
 * programs that overlap it. Length 0 removes it. `module` must outlive the programs. */
void itp_kernel_programs_add(struct itp_kernel_programs *programs, uint64_t start, uint64_t length,
			     const char *module, const char *name);

/* True when `address` belongs to a program. *ret_function is its id. */
bool itp_kernel_programs_find(struct itp_kernel_programs *programs, uint64_t address,
			      uint32_t *ret_function);

#endif
