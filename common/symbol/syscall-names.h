/* SPDX-License-Identifier: MIT */
/*
 * System calls as functions: `syscall:NAME` in the module `[syscall]`.
 *
 * Numbers mean different calls on different architectures; names come from libseccomp, which
 * knows them for all. A number without a name is `syscall:NUMBER`.
 */
#ifndef ITP_SYMBOL_SYSCALL_NAMES_H
#define ITP_SYMBOL_SYSCALL_NAMES_H

#include "common/base/function-table.h"

struct itp_syscall_names;

/* `arch` as uname -m tells it; NULL or an unknown one is taken for x86_64. `functions` is weak
 * and must outlive the result. */
struct itp_syscall_names *itp_syscall_names_new(const char *arch,
						struct itp_function_table *functions);
void itp_syscall_names_free(struct itp_syscall_names *names);

/* The number of the system call `name`; -1 when there is none. */
int64_t itp_syscall_names_number(const struct itp_syscall_names *names, const char *name);

/* Id of the function that stands for the system call. */
uint32_t itp_syscall_names_function(struct itp_syscall_names *names, int64_t number);

#endif
