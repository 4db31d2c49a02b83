/* SPDX-License-Identifier: MIT */
/*
 * System calls by what they are for, besides waiting (waiting-calls.h) and descriptors
 * (descriptor-calls.h).
 *
 * Names are without the prefix "syscall:". Arguments and results are left to those who ask.
 */
#ifndef ITP_KNOWN_SYSCALLS_H
#define ITP_KNOWN_SYSCALLS_H

#include <stdbool.h>

/* True for a call for locks, for readiness or for memory: others' locks, writes and memory at the
 * moment decide whether it is made. */
bool itp_syscall_is_by_chance(const char *syscall);

/* True for a call for the memory of the heap. */
bool itp_syscall_is_for_heap(const char *syscall);

/* True for a return from a signal's handler, which begins in any function: the call comes back to
 * the interrupted code. */
bool itp_syscall_ends_handler(const char *syscall);

/* True for a call that only tells the time. */
bool itp_syscall_tells_time(const char *syscall);

/* True for a call that ends a thread or its process. */
bool itp_syscall_ends_thread(const char *syscall);

/* True for a call that makes a thread or a process. */
bool itp_syscall_makes_thread(const char *syscall);

/* True for a call by which a process runs another program. */
bool itp_syscall_starts_program(const char *syscall);

/* True for a call that may map code, or change where it lies. */
bool itp_syscall_maps_code(const char *syscall);

#endif
