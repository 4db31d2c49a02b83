/* SPDX-License-Identifier: MIT */
/*
 * Copy of an input trace, whose events have fields with symbols too.
 *
 *   trace-copy.c     the trace, its classes and its streams
 *   message-copy.c   its messages
 */
#ifndef ITP_FILTERS_SYMBOLIZE_TRACE_COPY_H
#define ITP_FILTERS_SYMBOLIZE_TRACE_COPY_H

#include "filters/symbolize/symbol-fields.h"

/* Copies of classes are weak: their trace owns them. */
struct itp_stream_class_copy {
	bt_stream_class *copy;
	/* Of the common context of the events. Owned by this. */
	GArray *common_fields;
};

struct itp_event_class_copy {
	bt_event_class *copy;
	const struct itp_stream_class_copy *stream_class;
	/* Owned by this. */
	GArray *specific_fields;
	GArray *payload_fields;
};

struct itp_trace_copy {
	/* Weak. */
	bt_self_component *self;
	/* References, owned by this. The input's is the owner of all keys below. */
	const bt_trace *input;
	bt_trace *copy;
	/* const bt_clock_class * -> bt_clock_class *, const bt_stream_class * -> struct
	 * itp_stream_class_copy *, const bt_event_class * -> struct itp_event_class_copy *, const
	 * bt_stream * -> bt_stream *, const bt_packet * -> bt_packet *. Owned by this. */
	GHashTable *clocks;
	GHashTable *stream_classes;
	GHashTable *event_classes;
	GHashTable *streams;
	GHashTable *packets;
};

/* NULL with `error` set when the copy cannot be made. */
struct itp_trace_copy *itp_trace_copy_new(bt_self_component *self, const bt_trace *input,
					  GError **error);
void itp_trace_copy_free(struct itp_trace_copy *copy);

/* Makes a missing copy; NULL with `error` set when it fails. Weak. */
const struct itp_event_class_copy *itp_trace_copy_event_class(struct itp_trace_copy *copy,
							      const bt_event_class *input,
							      GError **error);
bt_stream *itp_trace_copy_stream(struct itp_trace_copy *copy, const bt_stream *input,
				 GError **error);

/* The copy of `message`, which is about `copy->input`; the caller puts both. `function` names
 * addresses. */
const bt_message *itp_message_copy(struct itp_trace_copy *copy, bt_self_message_iterator *self,
				   const bt_message *message, itp_symbol_func *function, void *data,
				   GError **error);

#endif
