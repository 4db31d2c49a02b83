/* SPDX-License-Identifier: MIT */
/*
 * Events held back until it is known whether the recording has switches.
 *
 * A file says so in its head, which perf shows to no filter: here the first switch tells. Until
 * then nobody knows whether a thread ran between two of its events, and after the first 65 536
 * without a switch they are handed on as they are.
 */
#ifndef ITP_PERF_DLFILTER_EARLY_EVENTS_H
#define ITP_PERF_DLFILTER_EARLY_EVENTS_H

#include <glib.h>

#include "common/base/stack-event.h"

struct itp_early_events {
	/* struct itp_stack_event with frames of their own; NULL once all are handed on. Owned by
	 * this. */
	GArray *events;
};

void itp_early_events_init(struct itp_early_events *early);
void itp_early_events_release(struct itp_early_events *early);

/* True while events are held back. */
bool itp_early_events_are_held(const struct itp_early_events *early);

/* Adds a copy of the event. False when there are as many as are held. */
bool itp_early_events_hold(struct itp_early_events *early, const struct itp_stack_event *event);

/* Receiver of an event; anything but 0 ends the handing on. */
typedef int itp_early_event_func(void *data, const struct itp_stack_event *event);

/* Hands all events on, and holds none any more. Returns what `push` returned last, or 0. */
int itp_early_events_end(struct itp_early_events *early, itp_early_event_func *push, void *data);

#endif
