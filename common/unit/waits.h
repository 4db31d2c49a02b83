/* SPDX-License-Identifier: MIT */
/*
 * System calls that wait for an event, of which an event-processing loop makes one again and again
 * (PerfGuard, section 3).
 *
 * Some have no other use. Others wait in some contexts only: for data that a pipe or a socket will
 * have, for the signal of another thread. Such a context is known once the kernel was seen to block
 * in it for that, unless it was seen to come back without when there was nothing; a lock is not
 * waited for as an event is.
 */
#ifndef ITP_UNIT_WAITS_H
#define ITP_UNIT_WAITS_H

#include "common/base/context-tree.h"
#include "common/base/function-table.h"

/* The more it is the loop's own, the greater. */
enum itp_wait_class {
	ITP_WAIT_CLASS_NONE = 0,
	/* For the signal of another thread: a worker for a job. */
	ITP_WAIT_CLASS_SIGNAL,
	/* For data of one that is known. */
	ITP_WAIT_CLASS_DATA,
	/* For any event. */
	ITP_WAIT_CLASS_EVENT,
};

/* What the system call of `node` waits for, if it waits at all. */
enum itp_wait_class itp_wait_class_of(const struct itp_context_tree *tree,
				      const struct itp_function_table *functions, uint32_t node);

/* Likewise by the name of the system call alone, without its prefix: ITP_WAIT_CLASS_SIGNAL of one
 * that may as well take a lock. */
enum itp_wait_class itp_wait_class_by_name(const char *syscall);

/* Whether only a wait that blocked tells that the context waits. */
bool itp_wait_class_needs_proof(enum itp_wait_class class);

/* Whether `node` says nothing of the kind of unit in which it is called: a function that takes or
 * gives back a lock, or a system call that is needed where another thread has the lock, or waits
 * for it, or the heap has no room left. The next unit of the same kind may do without. */
bool itp_wait_is_incidental(const struct itp_context_tree *tree,
			    const struct itp_function_table *functions, uint32_t node);

/* Whether this function of the kernel waits for data that somebody will send, and not for a disk.
 */
bool itp_wait_is_for_data(const struct itp_function *function);

/* Whether `node` is `above`, or below it. */
bool itp_wait_is_below(const struct itp_context_tree *tree, uint32_t node, uint32_t above);

/* Whether the function that waits in `wait` for the events of `loop`, or one near it, looks for
 * them in `node` without waiting: what is there at once is not waited for. `class` is that of
 * `node`. */
bool itp_wait_looks_for_events(const struct itp_context_tree *tree, uint32_t loop, uint32_t wait,
			       uint32_t node, enum itp_wait_class class);

#endif
