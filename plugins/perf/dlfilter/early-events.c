/* SPDX-License-Identifier: MIT */
/*
 * See early-events.h.
 */
#include "plugins/perf/dlfilter/early-events.h"

#define EVENTS_MOST (1u << 16)

static void release_event(void *event)
{
	g_free((gpointer)((struct itp_stack_event *)event)->frames);
}

void itp_early_events_init(struct itp_early_events *early)
{
	early->events = g_array_new(FALSE, FALSE, sizeof(struct itp_stack_event));
	g_array_set_clear_func(early->events, release_event);
}

void itp_early_events_release(struct itp_early_events *early)
{
	g_clear_pointer(&early->events, g_array_unref);
}

bool itp_early_events_are_held(const struct itp_early_events *early)
{
	return early->events;
}

bool itp_early_events_hold(struct itp_early_events *early, const struct itp_stack_event *event)
{
	struct itp_stack_event copy = *event;

	copy.comm = g_intern_string(event->comm);
	copy.frames = g_memdup2(event->frames, event->frame_count * sizeof(*event->frames));
	g_array_append_val(early->events, copy);
	return early->events->len < EVENTS_MOST;
}

int itp_early_events_end(struct itp_early_events *early, itp_early_event_func *push, void *data)
{
	g_autoptr(GArray) events = g_steal_pointer(&early->events);
	int result = 0;

	for (guint i = 0; events && result == 0 && i < events->len; i++) {
		result = push(data, &g_array_index(events, struct itp_stack_event, i));
	}
	return result;
}
