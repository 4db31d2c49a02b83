/* SPDX-License-Identifier: MIT */
/*
 * The few stack events that one record means, all of them at its time.
 *
 * A switch takes one thread off the CPU and puts another one on it, and a thread that the core was
 * not told of begins before its first event.
 */
#ifndef ITP_STACKS_EVENT_QUEUE_H
#define ITP_STACKS_EVENT_QUEUE_H

#include "common/stacks/callchain.h"
#include "common/stacks/task.h"

/* START, SWITCH_OUT, START, SWITCH_IN is the longest that there is. */
#define ITP_EVENT_QUEUE_LENGTH 4

/* States of a thread that is off the CPU as sched_switch reports them. Higher bits say that it
 * could have gone on running; which one depends on the kernel's version. */
#define ITP_BLOCKED_STATES 0xff

struct itp_event_queue {
	struct itp_stack_event events[ITP_EVENT_QUEUE_LENGTH];
	size_t length;
};

/* Empties the queue for the events of another record. */
void itp_event_queue_clear(struct itp_event_queue *queue);

/* Appends that the thread begins, made by the thread `creator` or ITP_START_UNKNOWN. */
void itp_event_queue_start(struct itp_event_queue *queue, int64_t time_ns,
			   const struct itp_task *task, int64_t creator);

/* Appends an event of `kind` for the thread, which the core is told of first if need be. NULL
 * for a thread that has ended. Valid until the next call. */
struct itp_stack_event *itp_event_queue_add(struct itp_event_queue *queue, enum itp_event_kind kind,
					    int64_t time_ns, struct itp_task *task, int32_t cpu);

/* Appends the loss of `count` events. */
void itp_event_queue_add_loss(struct itp_event_queue *queue, int64_t time_ns, int64_t count);

/* Gives `event`, which may be NULL, the stack that was resolved last. */
void itp_callchain_show(const struct itp_callchain *chain, struct itp_stack_event *event);

#endif
