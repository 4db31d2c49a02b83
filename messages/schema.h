/* SPDX-License-Identifier: MIT */
/*
 * The messages between the components (the contract), as core records.
 *
 *   schema.c   the layouts: a table of fields for each record
 *   output.c   the classes of an output trace, made from the layouts, and the trace
 *   encode.c   record -> event message
 *   decode.c   event -> record, whatever trace it comes from
 *   check.c    agreement between the fields of a record
 *
 * A function can also be announced by an event class of its own, for components downstream that get
 * only the later messages of a stream because somebody before them seeks (`babeltrace2 --begin`):
 * seeking drops messages, never classes, and classes may be added to a stream at any time.
 *
 * Names and widths of fields are known here only. Names, order and meaning are part of saved
 * profiles: only append.
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
	/* An instance still going on at the end of a period. */
	ITP_RECORD_RUNNING,
	ITP_RECORD_SHARE,
	ITP_RECORD_LATENCY,
	ITP_RECORD_STRETCH,
	/* A system call without a context, as its stack was not believed. */
	ITP_RECORD_UNPLACED,
	/* Results of filter.introperf.wait: a symptom, a wait in its way, a stack of interest, and
	 * at the end the search. */
	ITP_RECORD_SYMPTOM,
	ITP_RECORD_WAIT,
	ITP_RECORD_INTEREST,
	ITP_RECORD_SEARCH,
	/* Results of filter.introperf.unit: a type of units, and latencies of its units; nodes are
	 * ids of types. */
	ITP_RECORD_UNIT,
	ITP_RECORD_UNIT_LATENCY,
	/* A unit: the slowest of each type, or each. */
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
	/* Known members only: thread, begin, end, words and result. */
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
	/* Number of the period that ends here, or 0 at the end of the trace. */
	uint64_t period;
	struct itp_infer_counts counts;
};

/* A bad span of a thread; `id` counts spans of a trace from 0. */
struct itp_symptom_record {
	uint32_t id;
	int32_t tid;
	int64_t begin_ns;
	int64_t end_ns;
};

/* A wait on the critical path of a symptom, as far as it lies within. */
struct itp_wait_record {
	uint32_t symptom;
	/* Number of waits between the wait and the symptom's thread. */
	uint32_t depth;
	/* Doings of its waker meanwhile are told by waits of larger depth behind it. */
	bool is_followed;
	struct itp_stretch wait;
};

/* Most contexts one behind the other in a stack of interest. */
#define ITP_MAX_INTEREST_CONTEXTS (ITP_MAX_WAIT_DEPTH + 1)

/* Causes of symptoms at some instants: contexts of threads, each waiting for the next, the
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

/* The search of a trace. */
struct itp_search_record {
	/* The trace's name, and the symptom as asked for; "" without. Weak. */
	const char *name;
	const char *symptom;
	/* Number of calls or processes; the symptoms are the slow ones. */
	uint64_t calls;
	bool has_wakeups;
	/* The end was reached, and nothing is known to be missing. */
	bool complete;
	/* How many others were left out, as the symptoms waited for them. */
	uint64_t left_out;
};

/* A type of units of work; `id` counts types of a trace from 0. */
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
	/* Unsigned with labels; `limit` is their number. */
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
	/* The field came later; missing, it is 0. */
	bool is_optional;
};

struct itp_layout {
	const char *event_name;
	const struct itp_field *fields;
	size_t field_count;
	/* Size of the record. */
	size_t bytes;
};

#define ITP_LAYOUT_MAX_FIELDS 48

const struct itp_layout *itp_layout_get(enum itp_record_type type);

/* The type of events named `event_name`; ITP_RECORD_FOREIGN for others. */
enum itp_record_type itp_record_type_from_name(const char *event_name);

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

/* Nanoseconds to be added to the recorder's times for times of the output. */
static inline int64_t itp_output_clock_offset_ns(const struct itp_output_clock *clock)
{
	return clock->has_epoch ? clock->epoch_offset_ns : 0;
}

static inline struct itp_output_clock itp_output_clock_of(const struct itp_clock *clock)
{
	return (struct itp_output_clock){ .has_epoch = clock->has_epoch,
					  .epoch_offset_ns = clock->offset_ns };
}

/* `types` is a set of 1 << enum itp_record_type. */
struct itp_output *itp_output_new(bt_self_component *self, unsigned int types,
				  const struct itp_output_clock *clock, GError **error);
/* An output with all events in a packet, which is to begin before the first. */
struct itp_output *itp_output_new_with_packet(bt_self_component *self, unsigned int types,
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

/* The workload in `record`; its strings are the record's. */
struct itp_workload itp_workload_of_record(const struct itp_workload_record *record);

/* The user attributes of a class to announce `record`. NULL when memory runs out. */
bt_value *itp_encode_attributes(enum itp_record_type type, const void *record);

struct itp_decoder;

struct itp_decoder *itp_decoder_new(void);
void itp_decoder_free(struct itp_decoder *decoder);

/* The name of a field that contradicts others of its record; NULL for none. */
const char *itp_record_wrong_field(const struct itp_record *record);

/* Reads `event` into `ret_record`, and zeroes its other members. The layout is checked once for
 * each event class, the values of each event. */
bool itp_decode(struct itp_decoder *decoder, const bt_event *event, struct itp_record *ret_record,
		GError **error);

/* Reads the announcement of `event_class`; false without an announcement of `type`. Strings are the
 * class's. */
bool itp_decode_attributes(const bt_event_class *event_class, enum itp_record_type type,
			   struct itp_record *ret_record);

#endif
