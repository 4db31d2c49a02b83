/* SPDX-License-Identifier: MIT */
/*
 * Tells the stretches of threads (stretch.h) to whom wants them. Whoever handles an event calls
 * these before the thread takes notice of it, in the state in which it has been since the last.
 */
#ifndef ITP_INFER_STRETCHES_H
#define ITP_INFER_STRETCHES_H

#include "common/infer/stretch.h"
#include "common/infer/thread.h"

/* Node of the innermost function that the thread is in. */
uint32_t itp_stretches_leaf(const struct itp_thread *thread);

/* Until now the thread was in its innermost function, if it was not blocked. */
void itp_stretches_tell_leaf(const struct itp_thread_context *context, struct itp_thread *thread);

/* How the thread spent the time until now, when `event` shows its stack; to be told, with where it
 * was, when the thread has observed that: by its calls that have gone on since. */
struct itp_stretch itp_stretches_until(const struct itp_thread_context *context,
				       const struct itp_thread *thread,
				       const struct itp_stack_event *event);
void itp_stretches_tell_shown(const struct itp_thread_context *context, struct itp_thread *thread,
			      const struct itp_stack_event *event, struct itp_stretch stretch);

/* The thread was blocked until now. `wait` has the end and who it was. */
void itp_stretches_tell_wait(const struct itp_thread_context *context, struct itp_thread *thread,
			     struct itp_stretch wait);

/* What the thread did until now is not known. */
void itp_stretches_skip(struct itp_thread *thread);

#endif
