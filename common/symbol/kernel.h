/* SPDX-License-Identifier: MIT */
/*
 * Functions of the recorded kernel.
 *
 * Names come from a kallsyms file: the user's, or the running kernel's if it is the recorded
 * kernel. A kernel booted anew lies elsewhere (KASLR); its addresses are moved by the distance
 * between the recorded start of the text and the file's. Code that the running kernel has only for
 * a while is not taken for a recording's (kernel-programs.h).
 *
 * Code, and names where there is no kallsyms, come from a file that was set (kernel-image.h).
 *
 * System calls are functions, too: `syscall:NAME` in the module `[syscall]`. Numbers mean different
 * calls on different architectures; names come from libseccomp, which knows them for all. A number
 * without a name is `syscall:NUMBER`.
 */
#ifndef ITP_SYMBOL_KERNEL_H
#define ITP_SYMBOL_KERNEL_H

#include "common/base/function-table.h"

#include "common/symbol/symbol-files.h"

#include <stdbool.h>

struct itp_kernel;

/* All weak; `kallsyms` and `os_release` may be NULL. `functions` must outlive the result. */
struct itp_kernel *itp_kernel_new(const char *kallsyms, const char *os_release,
				  struct itp_function_table *functions);
void itp_kernel_free(struct itp_kernel *kernel);

/* Facts of the recording about the kernel, with length 0 where it does not tell; later ones are
 * ignored after the first look-up. */
void itp_kernel_set_text(struct itp_kernel *kernel, uint64_t start, uint64_t length);
void itp_kernel_set_build_id(struct itp_kernel *kernel, const char *build_id);

/* Place of the kernel, by a function of it: `name` begins at `address`. */
void itp_kernel_set_function(struct itp_kernel *kernel, const char *name, uint64_t address);

/* File with the kernel's code. Behind itp_kernel_set_build_id() if the recording has a build id.
 * Returns 0; ITP_ERROR_IO, with errno set; ITP_ERROR_CHANGED; ITP_ERROR_NOT_KERNEL; or
 * ITP_ERROR_OTHER_KERNEL for an image not known to be the recorded kernel's. */
int itp_kernel_set_image(struct itp_kernel *kernel, const char *path);

/* True when the kernel running here is certainly the recorded one: its text has the same place and
 * length, and no other known fact contradicts. */
bool itp_kernel_is_running(const struct itp_kernel *kernel);

/* Id of the function at an absolute address. */
uint32_t itp_kernel_function(struct itp_kernel *kernel, uint64_t address);

/* Distance of an absolute address from its address in the file with the code; 0 for code in no
 * file. Behind itp_kernel_function(). */
uint64_t itp_kernel_slide(const struct itp_kernel *kernel, uint64_t address);

/* False until the first look-up. */
bool itp_kernel_symbols_hidden(const struct itp_kernel *kernel);
bool itp_kernel_symbols_missing(const struct itp_kernel *kernel);
/* Warning about missing symbols for a person; *ret_warning refers to the kernel. */
bool itp_kernel_warning(const struct itp_kernel *kernel, struct itp_symbol_warning *ret_warning);

/* ---- System calls ---- */

struct itp_syscall_names;

/* Names of system calls for `arch`, as told by uname -m; NULL or an unknown one is taken for
 * x86_64. `functions` is weak and must outlive the result. */
struct itp_syscall_names *itp_syscall_names_new(const char *arch,
						struct itp_function_table *functions);
void itp_syscall_names_free(struct itp_syscall_names *names);

/* Number of the system call `name`; -1 when there is none. */
int64_t itp_syscall_names_number(const struct itp_syscall_names *names, const char *name);

/* Id of the function for a system call's number. */
uint32_t itp_syscall_names_function(struct itp_syscall_names *names, int64_t number);

#endif
