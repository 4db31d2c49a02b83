/* SPDX-License-Identifier: MIT */
/*
 * Reports stretches of threads (stretch.h) to their readers. Handlers of an event call it before
 * the thread takes notice of the event, in the thread's state since the last one.
 */
#ifndef ITP_INFER_STRETCHES_H
#define ITP_INFER_STRETCHES_H

#include "common/infer/stretch.h"
#include "common/infer/thread-state.h"

/* Node of the thread's innermost function. */
uint32_t itp_stretches_leaf(const struct itp_thread *thread);

/* Until now the thread was in its innermost function, if it was not blocked. */
void itp_stretches_tell_leaf(const struct itp_thread_context *context, struct itp_thread *thread);

/* Use of the thread's time until now, when `event` shows its stack; to be reported, with its
 * context, once the thread has observed the event: by its calls that have gone on since. */
struct itp_stretch itp_stretches_until(const struct itp_thread_context *context,
				       const struct itp_thread *thread,
				       const struct itp_stack_event *event);
void itp_stretches_tell_shown(const struct itp_thread_context *context, struct itp_thread *thread,
			      const struct itp_stack_event *event, struct itp_stretch stretch);

/* The thread was blocked until now. `wait` has the end and the waker. */
void itp_stretches_tell_wait(const struct itp_thread_context *context, struct itp_thread *thread,
			     struct itp_stretch wait);

/* Doings of the thread until now are unknown. */
void itp_stretches_skip(struct itp_thread *thread);

#endif
