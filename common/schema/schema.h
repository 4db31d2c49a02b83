/* SPDX-License-Identifier: MIT */
/*
 * Records: all that is known of a recording's calls, in pieces, each laid out by a table of fields.
 * Messages and saved profiles hold records; how they write a field is theirs.
 *
 *   layouts.c          layouts of records: tables of fields
 *     field.c            the value of a field in a record
 *   check.c            agreement between the fields of a record
 *   profile-records.c  a profile as records; unit-records.c: its units of work
 *   id-map.c           ids of an input → one's own
 *
 * Names and widths of fields are known here only. Names, order and meaning are part of saved
 * profiles: only append.
 */
#ifndef ITP_SCHEMA_SCHEMA_H
#define ITP_SCHEMA_SCHEMA_H

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

/* The name of a field that contradicts others of its record; NULL for none. */
const char *itp_record_wrong_field(const struct itp_record *record);

/* The workload in `record`; its strings are the record's. */
struct itp_workload itp_workload_of_record(const struct itp_workload_record *record);

#endif
