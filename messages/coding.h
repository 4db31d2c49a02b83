/* SPDX-License-Identifier: MIT */
/*
 * Messages from and to records of common/schema.
 *
 *   output.c   classes of an output trace, by the layouts of records; and the trace
 *   encode.c   record → event message
 *   decode.c   event → record, whatever trace it comes from
 *
 * A function can also be announced by an event class of its own, for components downstream that get
 * only the later messages of a stream because somebody before them seeks (`babeltrace2 --begin`):
 * seeking drops messages, never classes, and classes may be added to a stream at any time.
 */
#ifndef ITP_MESSAGES_CODING_H
#define ITP_MESSAGES_CODING_H

#include <babeltrace2/babeltrace.h>
#include <glib.h>
#include <stdbool.h>
#include <stdint.h>

#include "common/schema/schema.h"
#include "messages/packet.h"

/* A trace with a stream, on its way out of a component. */
struct itp_output {
	/* Owned by this. The stream is NULL until itp_output_open(). */
	bt_trace *trace;
	bt_stream *stream;
	/* Packet around all events. */
	struct itp_packet packet;
	/* Weak: owned by the trace's class. NULL for types missing in the trace. */
	bt_event_class *classes[ITP_RECORD_TYPE_COUNT];
};

/* Clock of an output. */
struct itp_output_clock {
	/* Clock whose properties are taken. NULL = nanoseconds from the origin below. Weak. */
	const bt_clock_class *like;
	/* Zero is `epoch_offset_ns` after 1970; otherwise the origin is unknown. */
	bool has_epoch;
	int64_t epoch_offset_ns;
};

static inline struct itp_output_clock itp_output_clock_of(const struct itp_clock *clock)
{
	return (struct itp_output_clock){ .has_epoch = clock->has_epoch,
					  .epoch_offset_ns = clock->offset_ns };
}

/* `types` is a set of 1 << enum itp_record_type. */
struct itp_output *itp_output_new(bt_self_component *self, unsigned int types,
				  const struct itp_output_clock *clock, GError **error);
void itp_output_free(struct itp_output *output);

/* Output whose environment takes facts, and the first error. Weak. */
struct itp_output_facts {
	struct itp_output *output;
	GError **error;
};

/* All before itp_output_open(). An itp_fact_func for struct itp_output_facts; `text` NULL = left
 * out. */
bool itp_output_take_fact(const char *name, const char *text, void *facts);
bool itp_output_set_name(struct itp_output *output, const char *name, GError **error);
bool itp_output_open(struct itp_output *output, GError **error);

/* Gives `to` the environment of `from`. */
bool itp_environment_copy(bt_trace *to, const bt_trace *from, GError **error);

/* Announces a function, beside the event that introduces it. */
bool itp_output_announce(struct itp_output *output, const struct itp_function_record *record,
			 GError **error);

/* A message with an event of `record`, of the C type of `type`. `cycles` is the time on the
 * output's clock. NULL with `error` set when memory runs out. */
bt_message *itp_encode(struct itp_output *output, bt_self_message_iterator *self, uint64_t cycles,
		       enum itp_record_type type, const void *record, GError **error);

/* The user attributes of a class to announce `record`. NULL when memory runs out. */
bt_value *itp_encode_attributes(enum itp_record_type type, const void *record);

struct itp_decoder;

struct itp_decoder *itp_decoder_new(void);
void itp_decoder_free(struct itp_decoder *decoder);

/* Reads `event` into `ret_record`, and zeroes its other members. The layout is checked once for
 * each event class, the values of each event. */
bool itp_decode(struct itp_decoder *decoder, const bt_event *event, struct itp_record *ret_record,
		GError **error);

/* Reads the announcement of `event_class`; false without an announcement of `type`. Strings are the
 * class's. */
bool itp_decode_attributes(const bt_event_class *event_class, enum itp_record_type type,
			   struct itp_record *ret_record);

#endif
