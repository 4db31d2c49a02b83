/* SPDX-License-Identifier: MIT */
/*
 * What a stack is: where a loop waits, in which context of a loop it is, or neither.
 *
 * A stack that was recorded by frame pointers lacks the function that called the C library; so a
 * path is a stack's, too, that has one function more than it, where none is that has as many.
 */
#ifndef ITP_GUARD_MATCHING_H
#define ITP_GUARD_MATCHING_H

#include "common/guard/guard.h"

/* `stack`: keys of its functions (itp_guard_function_key()), root first, the system call last, with
 * NULL at the end. Both return -1 for none. */
int itp_guard_match_wait(const struct itp_guard_file *file, char *const *stack);
int itp_guard_match_context(const struct itp_guard_loop *loop, char *const *stack);

#endif
