/* SPDX-License-Identifier: MIT */
/*
 * Functions with which programs and threads begin: of C libraries, of Go, of the kernel.
 *
 * Go's ways between stacks, which each stack is looked at for, are told by the table of functions
 * itself (common/base/function-table.h). What a beginning means is left to those who ask.
 */
#ifndef ITP_KNOWN_STARTS_H
#define ITP_KNOWN_STARTS_H

#include <stdbool.h>

/* True for the first function of every program's first thread. */
bool itp_start_is_entry(const char *name);

/* True for a caller of main(), also as a part of a static program. */
bool itp_start_calls_main(const char *name);

/* True for the C library's first function in threads made by a program. */
bool itp_start_is_of_thread(const char *name);

/* True for a function of every program. */
bool itp_start_is_everywhere(const char *name);

/* True for a function, and for a module whose functions, start every program or thread next to its
 * root. */
bool itp_start_is_next_to_root(const char *name, const char *module);

/* True for a first function of the kernel's own threads. */
bool itp_start_is_of_kernel(const char *name);

/* True for the function of all threads of the kernel: only recordings of the whole machine have
 * it. */
bool itp_start_is_kthread(const char *name);

/* True for a function of Go's runtime that changes or begins stacks, without the calling convention
 * in its name: ".abi0". */
bool itp_start_is_of_go_stack(const char *name);

#endif
