/* SPDX-License-Identifier: MIT */
/*
 * Places in which a waiting thread has something to do.
 *
 * A disk is waited for by its readers and writers: the kernel waits for it in functions of its own.
 * And a thread that waits in the kernel outside of a system call was interrupted at work: by a
 * fault of a page. A stack with nothing of the kernel but its scheduler lacks the system call.
 *
 * A lock is waited for where it is released: the same function takes and releases it, as update()
 * does with pthread_mutex_lock() and pthread_mutex_unlock(), both by the same system call. A job is
 * queued elsewhere than it is waited for, as in put() and take(). No name of a library is needed.
 * Functions that take and release a lock may be apart, or of a library: their callers are looked at
 * as well. Locks of the kernel's own are waited for in functions of their own. A lock that is never
 * released has no such function: where nobody has ended the wait, the C library's names tell.
 */
#ifndef ITP_INFER_WAIT_PLACES_H
#define ITP_INFER_WAIT_PLACES_H

#include <stdbool.h>

#include "common/base/context-tree.h"
#include "common/base/function-table.h"

struct itp_wait_places;

/* Both are weak. */
struct itp_wait_places *itp_wait_places_new(const struct itp_context_tree *tree,
					    const struct itp_function_table *functions);
void itp_wait_places_free(struct itp_wait_places *places);

/* A thread that waits in the context `node` waits for a disk or for a page. */
bool itp_wait_places_are_of_work(struct itp_wait_places *places, uint32_t node);

/* True when a thread that waits in the context `node` waits for any event, by a system call without
 * other use: epoll_wait. */
bool itp_wait_places_are_for_events(struct itp_wait_places *places, uint32_t node);

/* The outermost function of the program, or of a library of its own, above `node`: what the thread
 * was made for; ITP_FUNCTION_UNKNOWN for none. */
uint32_t itp_wait_places_root(const struct itp_wait_places *places, uint32_t node);

/* First threads of the command's processes wait in `node`: they have called all functions above. */
void itp_wait_places_add_own_work(struct itp_wait_places *places, uint32_t node);

/* True when a context of own work has called `function`. */
bool itp_wait_places_is_own_work(const struct itp_wait_places *places, uint32_t function);

/* True when a thread in `node` ends, or its process does. */
bool itp_wait_places_is_end(struct itp_wait_places *places, uint32_t node);

/* True when a wait in `node` that is ended from `waker_node` is for a lock. */
bool itp_wait_places_are_of_lock(struct itp_wait_places *places, uint32_t node,
				 uint32_t waker_node);

/* True when a wait in `node` whose end nobody has seen is for a lock. */
bool itp_wait_places_are_to_lock(struct itp_wait_places *places, uint32_t node);

#endif
