/* SPDX-License-Identifier: MIT */
/*
 * Waker on a wakeup's stack.
 *
 * A thread in a system call wakes others itself, also through the kernel's softirqs: it is the
 * waker, by its innermost function outside of the C library and C++'s. On the idle task, in a
 * kernel thread and above an interrupt it is the kernel, for a reason told by its functions:
 * `kernel:timer`, `kernel:disk` and so on, a function of the layer ITP_LAYER_KERNEL. The functions
 * are known by common/known/wake-reasons.h.
 */
#ifndef ITP_INFER_WAKE_STACK_H
#define ITP_INFER_WAKE_STACK_H

#include "common/infer/boundary.h"
#include "common/infer/wakers.h"

struct itp_wake_stack;

/* Both are weak and must outlive the result. Reasons are interned into `functions`. */
struct itp_wake_stack *itp_wake_stack_new(struct itp_function_table *functions,
					  struct itp_boundary *boundary);
void itp_wake_stack_free(struct itp_wake_stack *stack);

/* Sets process and function of `waker` from the wakeup `event`, made by a thread whose process root
 * is `process`, ITP_FUNCTION_UNKNOWN when unknown. */
void itp_wake_stack_tell(struct itp_wake_stack *stack, const struct itp_stack_event *event,
			 uint32_t process, struct itp_waker *waker);

/* How many of the outer frames of `event` reach up to the innermost function, within `depth` of
 * them, of the user's code that is not of such a library, or to the innermost at all; 0 without
 * user code that has a name or lies in a file. */
size_t itp_wake_stack_user(struct itp_wake_stack *stack, const struct itp_stack_event *event,
			   size_t depth);

/* True when a `process` of a waker is such a reason. */
bool itp_wake_stack_is_reason(const struct itp_wake_stack *stack, uint32_t process);

/* True when the reason is passed time. */
bool itp_wake_stack_is_timer(const struct itp_wake_stack *stack, uint32_t process);

/* True when `function` is of a C library or C++'s (itp_module_is_go_between()), or of nameless
 * code. */
bool itp_wake_stack_passes_on(struct itp_wake_stack *stack, uint32_t function);

#endif
