/* SPDX-License-Identifier: MIT */
/*
 * Stacks out of one system call: from its enter to its exit the thread's user stack is the same.
 *
 * Recordings may have different stacks for different events: copies of the stack at the enter of a
 * system call, what frame pointers lead to at a switch, none at all at the exit. What the enter has
 * shown then holds for the others too, as long as they do not contradict it.
 */
#ifndef ITP_INFER_SAME_CALL_H
#define ITP_INFER_SAME_CALL_H

#include "common/infer/thread.h"

/* The event to be handled: `event`, or `room`, which is the same with the program's frames of the
 * system call in which the thread has been since its last stack. Its frames are valid until the
 * next call. */
const struct itp_stack_event *itp_same_call_stack(const struct itp_thread *thread,
						  struct itp_thread_context *context,
						  const struct itp_stack_event *event,
						  struct itp_stack_event *room);

#endif
