/* SPDX-License-Identifier: MIT */
/*
 * Functions that take a lock, or give it back: of the kernel, of C libraries, of Rust.
 *
 * Rules of idle waits name such functions, too (waiting-calls.h). Looks at the callers of a wait
 * are left to those who ask.
 */
#ifndef ITP_KNOWN_LOCKS_H
#define ITP_KNOWN_LOCKS_H

#include <stdbool.h>

/* True for a kernel function in which threads wait for a lock of the kernel, such as a directory's:
 * __mutex_lock. */
bool itp_lock_is_kernels(const char *function);

/* True for a function of a C library or of Rust that takes a lock, or gives it to a waiting thread:
 * pthread_mutex_lock. */
bool itp_lock_is_used_by(const char *function);

/* True for a function above a futex that waits for no event and takes no lock: it wants an end, or
 * wakes somebody (pthread_join, sem_post). */
bool itp_lock_is_no_event(const char *function);

#endif
