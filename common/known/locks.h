/* SPDX-License-Identifier: MIT */
/*
 * Functions that take a lock, or give it back: of the kernel, of C libraries, of Rust.
 *
 * Rules of idle waits name such functions, too (waits.h). Looks at the callers of a wait are left
 * to those who ask.
 */
#ifndef ITP_KNOWN_LOCKS_H
#define ITP_KNOWN_LOCKS_H

#include <stdbool.h>

/* True for a kernel's function in which threads wait for a lock of the kernel's, such as a
 * directory's (common/infer/wait-places.h). */
bool itp_lock_is_kernels(const char *function);

/* True for a C library's function that takes a lock (common/infer/wait-places.h). */
bool itp_lock_is_taken_by(const char *function);

/* True for a function above a futex that wants a lock, or gives it to a waiting thread
 * (common/unit/waits.h). */
bool itp_lock_is_used_by(const char *function);

/* True for a further function above a futex without an event: it wants an end, or wakes somebody
 * (common/unit/waits.h). */
bool itp_lock_is_no_event(const char *function);

#endif
