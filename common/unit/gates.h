/* SPDX-License-Identifier: MIT */
/*
 * Gates to the kernel: functions of the libraries of C and C++ through which several system calls
 * go, and nothing else does, as __internal_syscall_cancel() of glibc from 2.41 on.
 *
 * Which of them a path takes the system call tells. So paths are compared without them: all paths
 * that wait would be alike in what has no meaning.
 */
#ifndef ITP_UNIT_GATES_H
#define ITP_UNIT_GATES_H

#include <glib.h>

#include "common/base/function-table.h"

/* Removes from all `paths` the gates that these show. Each is a GArray of uint32_t, functions of
 * `functions`, of which the last one stands for a system call. */
void itp_gates_remove(const struct itp_function_table *functions, const GPtrArray *paths);

#endif
