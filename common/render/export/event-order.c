/* SPDX-License-Identifier: MIT */
/* See event-order.h. */
#include "common/render/export/event-order.h"

#include <unistd.h>

#include "common/base/error.h"
#include "common/base/temp-file.h"

#define EVENT_BYTES sizeof(struct itp_timeline_event)

int itp_event_order_init(struct itp_event_order *order, const char *directory)
{
	order->fd = itp_temp_file_open(directory);
	order->open = g_array_new(FALSE, FALSE, sizeof(struct itp_timeline_call));
	return order->fd < 0 ? order->fd : ITP_OK;
}

void itp_event_order_release(struct itp_event_order *order)
{
	g_array_unref(order->open);
	if (order->fd >= 0) {
		close(order->fd);
	}
}

/* `position` is where what is in the file begins. */
static int flush(struct itp_event_order *order)
{
	uint32_t count = ITP_EVENT_BUFFER_EVENTS - order->buffer_begin;

	order->position -= count;
	order->buffer_begin = ITP_EVENT_BUFFER_EVENTS;
	return itp_temp_file_write(order->fd, order->buffer + (ITP_EVENT_BUFFER_EVENTS - count),
				   count * EVENT_BYTES, order->position * EVENT_BYTES);
}

/* Puts an event before all that are there. */
static int prepend(struct itp_event_order *order, const struct itp_timeline_call *call,
		   bool is_begin)
{
	int code = order->buffer_begin == 0 ? flush(order) : ITP_OK;

	if (code == ITP_OK) {
		order->buffer_begin--;
		order->buffer[order->buffer_begin] = (struct itp_timeline_event){
			.call = *call,
			.time_ns = is_begin ? call->begin_ns : call->end_ns,
			.is_begin = is_begin,
		};
	}
	return code;
}

/* Tells the begins of all open calls that are at least `depth` deep. */
static int close_calls(struct itp_event_order *order, uint32_t depth)
{
	GArray *open = order->open;
	int code = ITP_OK;

	while (code == ITP_OK && open->len > 0) {
		struct itp_timeline_call *call =
			&g_array_index(open, struct itp_timeline_call, open->len - 1);

		if (call->depth < depth) {
			break;
		}
		call->begin_ns = MIN(call->begin_ns, order->limit_ns);
		order->limit_ns = call->begin_ns;
		code = prepend(order, call, true);
		g_array_set_size(open, open->len - 1);
	}
	return code;
}

static int add_call(struct itp_event_order *order, struct itp_timeline_call *call)
{
	int code = close_calls(order, call->depth);

	call->end_ns = MIN(call->end_ns, order->limit_ns);
	order->limit_ns = call->end_ns;
	g_array_append_vals(order->open, call, 1);
	return code == ITP_OK ? prepend(order, call, false) : code;
}

int itp_event_order_fill(struct itp_event_order *order, const struct itp_call_store *store,
			 const struct itp_call_list *list)
{
	struct itp_call_reader reader;
	struct itp_timeline_call call;
	int code;

	order->event_count = 2 * list->count;
	order->position = order->event_count;
	order->buffer_begin = ITP_EVENT_BUFFER_EVENTS;
	order->limit_ns = INT64_MAX;
	g_array_set_size(order->open, 0);
	itp_call_reader_init(&reader, store, list);
	while ((code = itp_call_reader_next(&reader, &call)) > 0) {
		code = add_call(order, &call);
		if (code < 0) {
			return code;
		}
	}
	if (code == ITP_OK) {
		code = close_calls(order, 0);
	}
	return code == ITP_OK ? flush(order) : code;
}

void itp_event_order_rewind(struct itp_event_order *order)
{
	order->position = 0;
	order->buffer_begin = 0;
	order->buffer_end = 0;
}

int itp_event_order_next(struct itp_event_order *order, struct itp_timeline_event *ret_event)
{
	if (order->position == order->event_count) {
		return 0;
	}
	if (order->buffer_begin == order->buffer_end) {
		uint64_t left = order->event_count - order->position;
		uint32_t count = (uint32_t)MIN(left, ITP_EVENT_BUFFER_EVENTS);
		int code = itp_temp_file_read(order->fd, order->buffer, count * EVENT_BYTES,
					      order->position * EVENT_BYTES);

		if (code < 0) {
			return code;
		}
		order->buffer_begin = 0;
		order->buffer_end = count;
	}
	*ret_event = order->buffer[order->buffer_begin];
	order->buffer_begin++;
	order->position++;
	return 1;
}
