/* SPDX-License-Identifier: MIT */
/*
 * The messages that flow between the components (the contract), as core records.
 *
 *   schema.c   the layouts: one table of fields for each record
 *   output.c   the classes of an output trace, made from the layouts, and that trace
 *   encode.c   record -> event message
 *   decode.c   event -> record, whatever trace it comes from
 *   check.c    what the fields of a record must say together
 *
 * A function can also be announced by an event class of its own, for those downstream who get only
 * the later messages of a stream because someone before them seeks (`babeltrace2 --begin`): what is
 * dropped then is messages, never classes, and classes may be added to a stream at any time.
 *
 * This is the one place that knows field names and widths. Names, order and meaning are part of
 * what saved profiles hold: only append.
 */
#ifndef ITP_MESSAGES_SCHEMA_H
#define ITP_MESSAGES_SCHEMA_H

#include <babeltrace2/babeltrace.h>
#include <glib.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "common/base/function-table.h"
#include "common/base/stack-event.h"
#include "common/infer/infer.h"
#include "common/infer/instance.h"
#include "common/infer/profile.h"
#include "common/infer/stretch.h"
#include "common/wait/critical-path.h"
#include "messages/packet.h"

enum itp_record_type {
	ITP_RECORD_STACK,
	ITP_RECORD_FUNCTION,
	ITP_RECORD_CONTEXT,
	ITP_RECORD_INSTANCE,
	ITP_RECORD_NODE,
	ITP_RECORD_WORKLOAD,
	ITP_RECORD_WAKER,
	ITP_RECORD_SLOWEST,
	/* An instance that goes on at the end of a period. */
	ITP_RECORD_RUNNING,
	ITP_RECORD_SHARE,
	ITP_RECORD_LATENCY,
	ITP_RECORD_STRETCH,
	/* A system call that is in no context, as its stack was not believed. */
	ITP_RECORD_UNPLACED,
	/* What filter.introperf.wait tells: a symptom, a wait that held it up, a stack of interest,
	 * and at the end what was looked for. */
	ITP_RECORD_SYMPTOM,
	ITP_RECORD_WAIT,
	ITP_RECORD_INTEREST,
	ITP_RECORD_SEARCH,
	/* What filter.introperf.unit tells: a type of units, and how long its units took, whose
	 * nodes are ids of types. */
	ITP_RECORD_UNIT,
	ITP_RECORD_UNIT_LATENCY,
	/* One unit: the slowest of each type, or each. */
	ITP_RECORD_UNIT_SPAN,
	/* An event of somebody else. */
	ITP_RECORD_FOREIGN,
};

#define ITP_RECORD_TYPE_COUNT ITP_RECORD_FOREIGN

struct itp_function_record {
	uint32_t id;
	struct itp_function function;
};

struct itp_context_record {
	uint32_t id;
	uint32_t parent;
	uint32_t function;
};

struct itp_instance_record {
	/* Name of the function, for whoever reads the timeline. Weak. */
	const char *function;
	struct itp_instance instance;
};

struct itp_unplaced_record {
	/* The system call. */
	uint32_t function;
	/* Of which that is known: thread, begin, end, words and result. */
	struct itp_instance call;
};

struct itp_node_record {
	uint32_t id;
	uint32_t parent;
	uint32_t function;
	struct itp_node_stats stats;
};

struct itp_workload_record {
	/* Weak. */
	const char *name;
	const char *options;
	bool complete;
	/* The number of the period of which this is the end, or 0 for that of the trace. */
	uint64_t period;
	struct itp_infer_counts counts;
};

/* A span of a thread that was bad; `id` counts those of a trace from 0. */
struct itp_symptom_record {
	uint32_t id;
	int32_t tid;
	int64_t begin_ns;
	int64_t end_ns;
};

/* A wait on the critical path of a symptom, as far as it lies within. */
struct itp_wait_record {
	uint32_t symptom;
	/* How many waits there are between it and the symptom's thread. */
	uint32_t depth;
	/* What its waker did meanwhile is told by the waits of larger depth behind it. */
	bool is_followed;
	struct itp_stretch wait;
};

/* How many contexts may be one behind the other in a stack of interest. */
#define ITP_MAX_INTEREST_CONTEXTS (ITP_MAX_WAIT_DEPTH + 1)

/* What held up symptoms at some instants: contexts of threads that waited one for the other, the
 * symptom's first. */
struct itp_interest_record {
	/* The last of them waited. */
	bool is_wait;
	uint64_t count;
	int64_t cost_ns;
	/* Weak. */
	const uint32_t *contexts;
	size_t context_count;
};

/* What was looked for in a trace. */
struct itp_search_record {
	/* The trace's name, and the symptom as it was asked for; "" where it was not. Weak. */
	const char *name;
	const char *symptom;
	/* Of how many calls or processes the symptoms are the slow ones. */
	uint64_t calls;
	bool has_wakeups;
	/* The end was reached, and nothing is known to be missing. */
	bool complete;
	/* How many others were left out, as the symptoms waited for them. */
	uint64_t left_out;
};

/* A type of units of work; `id` counts those of a trace from 0. */
struct itp_unit_record {
	uint32_t id;
	struct itp_unit_sum sum;
};

/* When a unit of a type was. */
struct itp_unit_span_record {
	uint32_t unit;
	int32_t pid;
	int32_t tid;
	int64_t begin_ns;
	int64_t end_ns;
};

/* The strings and arrays of a decoded record live as long as the event. */
struct itp_record {
	enum itp_record_type type;
	union {
		/* The time is not part of the payload: it is the message's. */
		struct itp_stack_event stack;
		struct itp_function_record function;
		struct itp_context_record context;
		struct itp_instance_record instance;
		struct itp_node_record node;
		struct itp_workload_record workload;
		struct itp_waker waker;
		struct itp_slow_call slowest;
		struct itp_share share;
		struct itp_latency latency;
		struct itp_stretch stretch;
		struct itp_unplaced_record unplaced;
		struct itp_symptom_record symptom;
		struct itp_wait_record wait;
		struct itp_interest_record interest;
		struct itp_search_record search;
		struct itp_unit_record unit;
		struct itp_unit_span_record unit_span;
	};
};

/* How a member is written. */
enum itp_field_type {
	ITP_FIELD_UNSIGNED,
	ITP_FIELD_SIGNED,
	/* Unsigned with labels, of which `limit` is the number. */
	ITP_FIELD_LABELS,
	ITP_FIELD_STRING,
	/* Dynamic arrays of unsigned integers; addresses are shown in base 16. */
	ITP_FIELD_ARRAY,
	ITP_FIELD_ADDRESSES,
};

struct itp_field {
	const char *name;
	enum itp_field_type type;
	/* Width in the message. */
	unsigned int bits;
	/* In the record, or for arrays in the array's element. */
	size_t offset;
	size_t bytes;
	/* Values from here on are refused when read; 0 = none are. */
	uint64_t limit;
	/* ITP_FIELD_LABELS: names of the values. */
	const char *const *labels;
	/* Came later: where it is missing, it is 0. */
	bool is_optional;
};

struct itp_layout {
	const char *event_name;
	const struct itp_field *fields;
	size_t field_count;
	/* Of the record. */
	size_t bytes;
};

#define ITP_LAYOUT_MAX_FIELDS 48

const struct itp_layout *itp_layout_get(enum itp_record_type type);

/* The type whose events are called `event_name`; ITP_RECORD_FOREIGN when there is none. */
enum itp_record_type itp_record_type_from_name(const char *event_name);

/* One trace with one stream on its way out of a component. */
struct itp_output {
	/* Owned by this. The stream is NULL until itp_output_open(). */
	bt_trace *trace;
	bt_stream *stream;
	/* In which events lie from its beginning to its end. */
	struct itp_packet packet;
	/* Weak: owned by the trace's class. NULL for types that the trace does not have. */
	bt_event_class *classes[ITP_RECORD_TYPE_COUNT];
};

/* What the clock of an output is. */
struct itp_output_clock {
	/* It gets the properties of this one. NULL = nanoseconds from the origin below. Weak. */
	const bt_clock_class *like;
	/* Where zero is after 1970; an unknown origin otherwise. */
	bool has_epoch;
	int64_t epoch_offset_ns;
};

/* What is added to the recorder's times to make them those of the output. */
static inline int64_t itp_output_clock_offset_ns(const struct itp_output_clock *clock)
{
	return clock->has_epoch ? clock->epoch_offset_ns : 0;
}

/* `types` is a set of 1 << enum itp_record_type. */
struct itp_output *itp_output_new(bt_self_component *self, unsigned int types,
				  const struct itp_output_clock *clock, GError **error);
/* The same where all events lie in a packet, which is to begin before the first. */
struct itp_output *itp_output_new_with_packet(bt_self_component *self, unsigned int types,
					      const struct itp_output_clock *clock, GError **error);
void itp_output_free(struct itp_output *output);

/* Name of the entry in the environment of a recording's trace that says what it watches, as
 * itp_watched_text() does. */
#define ITP_WATCHED_ENTRY "introperf_watched"

/* All of these before itp_output_open(). `text` NULL = left out. */
bool itp_output_set_name(struct itp_output *output, const char *name, GError **error);
bool itp_output_set_environment(struct itp_output *output, const char *name, const char *text,
				GError **error);
bool itp_output_open(struct itp_output *output, GError **error);

/* Gives `to` the environment that `from` has. */
bool itp_environment_copy(bt_trace *to, const bt_trace *from, GError **error);

/* Announces a function, beside the event that introduces it. */
bool itp_output_announce(struct itp_output *output, const struct itp_function_record *record,
			 GError **error);

/* A message with an event that holds `record`, which is of the C type that goes with `type`.
 * `cycles` is the time on the output's clock. NULL with `error` set when memory runs out. */
bt_message *itp_encode(struct itp_output *output, bt_self_message_iterator *self, uint64_t cycles,
		       enum itp_record_type type, const void *record, GError **error);

/* What `record` says; its strings are the record's. */
struct itp_workload itp_workload_of_record(const struct itp_workload_record *record);

/* The user attributes of a class that announces `record`. NULL when memory runs out. */
bt_value *itp_encode_attributes(enum itp_record_type type, const void *record);

struct itp_decoder;

struct itp_decoder *itp_decoder_new(void);
void itp_decoder_free(struct itp_decoder *decoder);

/* The name of a field that contradicts the others of its record; NULL where none does. */
const char *itp_record_wrong_field(const struct itp_record *record);

/* Reads `event` into `ret_record`, whose other members are 0. The layout is checked once for each
 * event class, the values of each event. */
bool itp_decode(struct itp_decoder *decoder, const bt_event *event, struct itp_record *ret_record,
		GError **error);

/* Reads what `event_class` announces; false when it announces nothing of `type`. Strings are the
 * class's. */
bool itp_decode_attributes(const bt_event_class *event_class, enum itp_record_type type,
			   struct itp_record *ret_record);

#endif
