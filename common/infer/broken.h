/* SPDX-License-Identifier: MIT */
/*
 * Stacks with missing frames, completed with frames known before.
 *
 * Rule 5: stacks that do not reach their thread's root.
 *
 * Missing frames are still open, if the rest of the stack fits there. Roots, and functions that
 * cannot be roots, are learnt from the stacks before. Works on the frames at hand of the context.
 *
 * From the enter of a system call to its exit the thread's user stack is the same. Recordings may
 * have different stacks for different events: copies of the stack at the enter, what frame pointers
 * lead to at a switch, none at all at the exit. What the enter has shown then holds for the others
 * too, as long as they do not contradict it.
 */
#ifndef ITP_INFER_BROKEN_H
#define ITP_INFER_BROKEN_H

#include "common/infer/thread-state.h"

void itp_broken_count(struct itp_infer_counts *counts, const struct itp_stack_event *event);

/* Completes the frames at hand, which begin with `frame_count` frames of the program, if they are
 * broken. False when they must be skipped. */
bool itp_broken_repair(struct itp_thread *thread, struct itp_thread_context *context,
		       const struct itp_stack_event *event, size_t frame_count);

/* Inserts the missing caller of the innermost user frame's code, at `innermost`: the function
 * called by the frame below at its place before, if still open. */
void itp_broken_reveal_caller(const struct itp_thread *thread,
			      const struct itp_thread_context *context, uint32_t innermost);

/* Functions that were put in and stand for several are those that their callers have called at
 * these places before, as long as these are still open. */
void itp_broken_reveal_choices(const struct itp_thread *thread,
			       const struct itp_thread_context *context);

/* Contexts from `first_new` on, which were new with the last stack, tell which functions are not
 * roots, and who calls them. A function with unknown callers may well be a root. */
void itp_broken_learn_below(const struct itp_thread *thread,
			    const struct itp_thread_context *context, uint32_t first_new);

/* Event to be handled: `event`, or `room`, its copy with the program's frames of the system call in
 * which the thread has been since its last stack. Its frames are valid until the next call. */
const struct itp_stack_event *itp_same_call_stack(const struct itp_thread *thread,
						  struct itp_thread_context *context,
						  const struct itp_stack_event *event,
						  struct itp_stack_event *room);

#endif
