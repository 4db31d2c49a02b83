/* SPDX-License-Identifier: MIT */
/*
 * System calls that wait for an event; an event-processing loop repeats one of them (PerfGuard,
 * section 3).
 *
 * Some have no other use. Others wait only in some contexts: for data of a pipe or a socket, or for
 * the signal of another thread. A context waits once the kernel was seen to block in it, unless a
 * call came back without waiting when there was nothing; waits for a lock do not count. Names of
 * system calls that wait are known by common/known/waiting-calls.h.
 */
#ifndef ITP_UNIT_WAITS_H
#define ITP_UNIT_WAITS_H

#include "common/base/context-tree.h"
#include "common/base/function-table.h"
#include "common/known/waiting-calls.h"

/* Class of the wait of the system call `node`. */
enum itp_wait_class itp_wait_class_of(const struct itp_context_tree *tree,
				      const struct itp_function_table *functions, uint32_t node);

/* True when only a wait that blocked proves that the context waits. */
bool itp_wait_class_needs_proof(enum itp_wait_class class);

/* True for the result of a wait ended by a signal: EINTR, or the kernel's codes until a handler was
 * called, ERESTARTSYS to ERESTART_RESTARTBLOCK. */
bool itp_wait_is_interruption(int64_t result);

/* True when `node` says nothing of the kind of its unit: a function that takes or gives back a
 * lock, or a system call needed only when another thread has the lock or waits for it, when the
 * heap has no room left, or when a signal was handled. The next unit of the kind may do without. */
bool itp_wait_is_incidental(const struct itp_context_tree *tree,
			    const struct itp_function_table *functions, uint32_t node);

/* True when the kernel's function waits for data to be sent by somebody, and not for a disk. */
bool itp_wait_is_for_data(const struct itp_function *function);

/* True when `node` is `above`, or below it. */
bool itp_wait_is_below(const struct itp_context_tree *tree, uint32_t node, uint32_t above);

/* True when the function that waits in `wait` for the events of `loop`, or a near caller of it,
 * looks for them in `node` without waiting: bytes there at once are not waited for. `class` is the
 * class of `node`. */
bool itp_wait_looks_for_events(const struct itp_context_tree *tree, uint32_t loop, uint32_t wait,
			       uint32_t node, enum itp_wait_class class);

#endif
