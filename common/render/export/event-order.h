/* SPDX-License-Identifier: MIT */
/*
 * Begins and ends of one thread's calls, in the order of time and nested, however many there are.
 *
 * Calls come in the order in which they ended. Read from the last one back, a caller comes before
 * what it called, so a stack of what is open tells all begins and ends from the last to the first.
 * They go into a temporary file from its end to its beginning, and are read from there forwards.
 * In memory there are the open calls and a buffer.
 */
#ifndef ITP_RENDER_EXPORT_EVENT_ORDER_H
#define ITP_RENDER_EXPORT_EVENT_ORDER_H

#include <glib.h>
#include <stdbool.h>

#include "common/render/export/call-store.h"

struct itp_timeline_event {
	/* Of a begin, all of it; of an end, all but `begin_ns`. */
	struct itp_timeline_call call;
	int64_t time_ns;
	bool is_begin;
};

#define ITP_EVENT_BUFFER_EVENTS 256

struct itp_event_order {
	int fd;
	/* Of the thread at hand. */
	uint64_t event_count;
	uint64_t position;
	/* From here to the end of the buffer while the file is filled; from `position` when read.
	 */
	uint32_t buffer_begin;
	uint32_t buffer_end;
	struct itp_timeline_event buffer[ITP_EVENT_BUFFER_EVENTS];
	/* struct itp_timeline_call. Owned by this. */
	GArray *open;
	/* Nothing is later than what was told last. */
	int64_t limit_ns;
};

int itp_event_order_init(struct itp_event_order *order, const char *directory);
void itp_event_order_release(struct itp_event_order *order);

/* Orders the calls of a list. Where one does not lie inside its caller, it is cut. ITP_ERROR_IO
 * with errno. */
int itp_event_order_fill(struct itp_event_order *order, const struct itp_call_store *store,
			 const struct itp_call_list *list);

/* Begins to read. */
void itp_event_order_rewind(struct itp_event_order *order);
/* 1: `ret_event` is set; 0: there is no more; ITP_ERROR_IO with errno. */
int itp_event_order_next(struct itp_event_order *order, struct itp_timeline_event *ret_event);

#endif
