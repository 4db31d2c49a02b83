/* SPDX-License-Identifier: MIT */
/*
 * Gates to the kernel: functions of the libraries of C and C++ that only lead to system calls, to
 * several of them: __internal_syscall_cancel() of glibc from 2.41 on.
 *
 * A path's system call tells its gates. Paths are compared without gates: otherwise all waiting
 * paths would be alike in a meaningless part.
 */
#ifndef ITP_UNIT_GATES_H
#define ITP_UNIT_GATES_H

#include <glib.h>

#include "common/base/function-table.h"

/* Removes from all `paths` the gates shown by them. Each path is a GArray of uint32_t, functions of
 * `functions`, the last for a system call. */
void itp_gates_remove(const struct itp_function_table *functions, const GPtrArray *paths);

#endif
