/* SPDX-License-Identifier: MIT */
/*
 * Meaning of a stack: the wait of a loop, a context of a loop, or neither.
 *
 * Stacks recorded by frame pointers lack the caller of the C library's function. Paths thus match a
 * stack with one function more, too, if no path matches exactly.
 */
#ifndef ITP_GUARD_MATCHING_H
#define ITP_GUARD_MATCHING_H

#include "common/guard/guard.h"

/* `stack`: keys of its functions (itp_guard_function_key()), root first, the system call last, with
 * NULL at the end. Both return -1 for none. */
int itp_guard_match_wait(const struct itp_guard_file *file, char *const *stack);
int itp_guard_match_context(const struct itp_guard_loop *loop, char *const *stack);

#endif
