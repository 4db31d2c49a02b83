/* SPDX-License-Identifier: MIT */
/*
 * Threads that others waited for: for each context of blocked time, the wakers, their doings
 * meanwhile and the functions behind; for each context that waited for a CPU, the threads that had
 * it. And for each context that made processes, the processes: it may be to blame for them
 * elsewhere.
 *
 * Everything is a sum under a key (context, role, process, function), so merging is exact,
 * associative and commutative. Only the counter of a recording's wakeups bounds the number of
 * wakers of a context; merging never drops one. Blocked time of a context beyond its wakers' was
 * not seen to end by a wakeup. Finding the waker on a stack is left to wake-stack.h.
 */
#ifndef ITP_INFER_WAKERS_H
#define ITP_INFER_WAKERS_H

#include <glib.h>
#include <stdint.h>

#include "common/base/function-table.h"

/* Wakers of a context told apart in a recording: further ones of a role are merged as
 * ITP_FUNCTION_UNKNOWN. */
#define ITP_MAX_NODE_WAKERS 256

enum itp_waker_role {
	/* The function ended the waiting. */
	ITP_WAKER_WOKE = 0,
	/* Had the CPU for which the thread waited; its function is not told. */
	ITP_WAKER_HAD_CPU,
	/* Ran while the thread was blocked: the waker, or the thread it waited for in turn; or
	 * waited itself, for the kernel or an unknown thread. */
	ITP_WAKER_RAN,
	/* Process made by the context, by the program that it ran, whoever waits for it; its
	 * function is not told. */
	ITP_WAKER_STARTED,
	/* ITP_WAKER_RAN, by another function: the innermost there both when it ran and when it
	 * ended the waiting, a lock's holder, or a request's worker. */
	ITP_WAKER_KEPT,
	/* Waited for a CPU while the thread was blocked: the waker, or the thread it waited for in
	 * turn; its function is not told. Older recordings have another role of number 5. */
	ITP_WAKER_QUEUED = 6,
};

#define ITP_WAKER_ROLE_COUNT (ITP_WAKER_QUEUED + 1)

/* Squares of nanoseconds in one of microseconds. */
#define ITP_NS2_PER_US2 1e6

struct itp_waker {
	/* Context that waited, or made the process: node of its leaf. */
	uint32_t node;
	/* enum itp_waker_role */
	uint32_t role;
	/* The process root of the waker, or the function `kernel:CAUSE`; ITP_FUNCTION_UNKNOWN when
	 * the waker is not known. */
	uint32_t process;
	/* Waker's function behind it; ITP_FUNCTION_UNKNOWN when unknown. */
	uint32_t function;
	/* Wakeups, and the time from leaving the CPU to them; waits for a CPU, and how long it was
	 * had meanwhile; stretches of a wait, and how long they took; processes, and how long they
	 * ran that program. */
	uint64_t count;
	int64_t blocked_ns;
	/* Sum of the squares of the times that wakeups ended, in µs²; 0 in other roles, and in
	 * profiles of older versions. */
	uint64_t square_us2;
};

struct itp_wakers;

struct itp_wakers *itp_wakers_new(void);
void itp_wakers_free(struct itp_wakers *wakers);

/* Adds count and time under the waker's key. */
void itp_wakers_add(struct itp_wakers *wakers, const struct itp_waker *waker);
/* Adds a waker, as unknown when it would be one too many of its node. */
void itp_wakers_add_bounded(struct itp_wakers *wakers, const struct itp_waker *waker);
/* Takes back an addition, bounded or not. */
void itp_wakers_remove(struct itp_wakers *wakers, const struct itp_waker *waker);
/* Removes wakers of `node` in a role, and returns them: a GArray of struct itp_waker. Free with
 * g_array_unref(). */
GArray *itp_wakers_take(struct itp_wakers *wakers, uint32_t node, enum itp_waker_role role);
/* Moves the wakers in `unplaced`, all of ITP_CONTEXT_ROOT, to `node`, likewise bounded. */
void itp_wakers_place(struct itp_wakers *wakers, struct itp_wakers *unplaced, uint32_t node);
void itp_wakers_merge(struct itp_wakers *wakers, const struct itp_wakers *other);

/* True for one that is time: it has ended a wait. */
bool itp_waker_is_timer(const struct itp_function_table *functions, const struct itp_waker *waker);

/* Greatest node with wakers plus one; 0 without any. */
uint32_t itp_wakers_node_count(const struct itp_wakers *wakers);

/* The wakers of `node`, in the order in which they were first added. NULL when `*ret_count` is 0.
 * Valid until the next change. */
const struct itp_waker *itp_wakers_of_node(const struct itp_wakers *wakers, uint32_t node,
					   guint *ret_count);

/* blocked_ns of all wakers of `node` in a role. */
int64_t itp_wakers_node_ns(const struct itp_wakers *wakers, uint32_t node,
			   enum itp_waker_role role);

/* Wakers of several nodes in a role together, as a GArray of struct itp_waker: one for each process
 * and function, `node` ITP_CONTEXT_ROOT, the longest blocked_ns first, then by name. A node listed
 * twice counts twice. Free with g_array_unref(). */
GArray *itp_wakers_of_nodes(const struct itp_wakers *wakers, enum itp_waker_role role,
			    const uint32_t *nodes, size_t node_count,
			    const struct itp_function_table *functions);

/* blocked_ns of such a list together. */
int64_t itp_wakers_sum_ns(const GArray *wakers);

#endif
