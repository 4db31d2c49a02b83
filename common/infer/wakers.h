/* SPDX-License-Identifier: MIT */
/*
 * Whom threads waited for: for each context in which they were blocked, those who woke them, and
 * what these did meanwhile and for which of their functions; for each in which they waited for a
 * CPU, those who had it. And for each that made processes, which these were: what it may be to
 * blame for elsewhere.
 *
 * Everything is a sum under a key (context, role, process, function), so merging is exact,
 * associative and commutative. Only whoever counts the wakeups of one recording bounds the number
 * of wakers of a context; merging never drops one. Blocked time of a context beyond that of its
 * wakers was not seen to end by a wakeup. Who a wakeup's stack shows is left to wake-stack.h.
 */
#ifndef ITP_INFER_WAKERS_H
#define ITP_INFER_WAKERS_H

#include <glib.h>
#include <stdint.h>

#include "common/base/function-table.h"

/* How many wakers of one context one recording tells apart: more of a role come together as
 * ITP_FUNCTION_UNKNOWN. */
#define ITP_MAX_NODE_WAKERS 256

enum itp_waker_role {
	/* The function ended the waiting. */
	ITP_WAKER_WOKE = 0,
	/* It had the CPU for which the thread waited; its function is not told. */
	ITP_WAKER_HAD_CPU,
	/* It ran while the thread was blocked: the waker, or whom that one waited for in turn; or
	 * it waited itself, for the kernel or for nobody knows whom. */
	ITP_WAKER_RAN,
	/* A process that the context made, by the program that it ran, whoever waits for it; its
	 * function is not told. */
	ITP_WAKER_STARTED,
	/* As ITP_WAKER_RAN, by another function: the innermost that was there both when it ran and
	 * when it ended the waiting. What a lock was held for, or a request worked on. */
	ITP_WAKER_KEPT,
	/* It waited for a CPU while the thread was blocked: the waker, or whom that one waited for
	 * in turn; its function is not told. Recordings of before have another role of number 5. */
	ITP_WAKER_QUEUED = 6,
};

#define ITP_WAKER_ROLE_COUNT (ITP_WAKER_QUEUED + 1)

struct itp_waker {
	/* The context that waited, or made the process: node of its leaf. */
	uint32_t node;
	/* enum itp_waker_role */
	uint32_t role;
	/* The process root of the waker, or the function `kernel:CAUSE`; ITP_FUNCTION_UNKNOWN when
	 * the waker is not known. */
	uint32_t process;
	/* What of the waker did it; ITP_FUNCTION_UNKNOWN when that is not known. */
	uint32_t function;
	/* Wakeups, and the time from leaving the CPU to them; waits for a CPU, and how long it was
	 * had meanwhile; stretches of a wait, and how long they took; processes, and how long they
	 * ran that program. */
	uint64_t count;
	int64_t blocked_ns;
};

struct itp_wakers;

struct itp_wakers *itp_wakers_new(void);
void itp_wakers_free(struct itp_wakers *wakers);

/* Adds count and time to those under the same key. */
void itp_wakers_add(struct itp_wakers *wakers, const struct itp_waker *waker);
/* The same, but a waker that would be one too many of its node counts as unknown. */
void itp_wakers_add_bounded(struct itp_wakers *wakers, const struct itp_waker *waker);
/* Takes back what was added, bounded or not. */
void itp_wakers_remove(struct itp_wakers *wakers, const struct itp_waker *waker);
/* Removes those of `node` in one role, and returns them: a GArray of struct itp_waker. Free with
 * g_array_unref(). */
GArray *itp_wakers_take(struct itp_wakers *wakers, uint32_t node, enum itp_waker_role role);
/* Moves those of `unplaced`, all of them of ITP_CONTEXT_ROOT, to `node`, likewise bounded. */
void itp_wakers_place(struct itp_wakers *wakers, struct itp_wakers *unplaced, uint32_t node);
void itp_wakers_merge(struct itp_wakers *wakers, const struct itp_wakers *other);

/* One more than the greatest node with wakers; 0 without any. */
uint32_t itp_wakers_node_count(const struct itp_wakers *wakers);

/* The wakers of `node`, in the order in which they were first added. NULL when `*ret_count` is 0.
 * Valid until the next change. */
const struct itp_waker *itp_wakers_of_node(const struct itp_wakers *wakers, uint32_t node,
					   guint *ret_count);

/* The blocked_ns of all wakers of `node` in one role. */
int64_t itp_wakers_node_ns(const struct itp_wakers *wakers, uint32_t node,
			   enum itp_waker_role role);

/* Those of several nodes in one role together, as a GArray of struct itp_waker: one for each
 * process and function, `node` ITP_CONTEXT_ROOT, the longest blocked_ns first, then by name. A node
 * that is listed twice counts twice. Free with g_array_unref(). */
GArray *itp_wakers_of_nodes(const struct itp_wakers *wakers, enum itp_waker_role role,
			    const uint32_t *nodes, size_t node_count,
			    const struct itp_function_table *functions);

/* The blocked_ns of such a list together. */
int64_t itp_wakers_sum_ns(const GArray *wakers);

#endif
