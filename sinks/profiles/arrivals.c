/* SPDX-License-Identifier: MIT */
/*
 * See arrivals.h. Records of a trace are left to common/profile-file.
 */
#include "sinks/profiles/arrivals.h"

#include "common/profile-file/intake.h"
#include "messages/clock.h"
#include "messages/coding.h"

/* Trace while it is read. */
struct arrival {
	/* Trace, owned by this, so that its address stays taken. */
	const bt_trace *trace;
	/* Weak. */
	struct itp_set_workload *workload;
	/* Owned by this. */
	struct itp_intake *intake;
};

struct itp_arrivals {
	/* const bt_trace * → struct arrival *, owned by this. */
	GHashTable *of_traces;
	/* Weak. */
	struct itp_workload_set *set;
	/* Owned by this. */
	struct itp_decoder *decoder;
};

static void arrival_free(struct arrival *arrival)
{
	itp_intake_free(arrival->intake);
	bt_trace_put_ref(arrival->trace);
	g_free(arrival);
}

struct itp_arrivals *itp_arrivals_new(struct itp_workload_set *set)
{
	struct itp_arrivals *arrivals = g_new0(struct itp_arrivals, 1);

	arrivals->of_traces = g_hash_table_new_full(NULL, NULL, NULL, (GDestroyNotify)arrival_free);
	arrivals->set = set;
	arrivals->decoder = itp_decoder_new();
	return arrivals;
}

void itp_arrivals_free(struct itp_arrivals *arrivals)
{
	if (!arrivals) {
		return;
	}
	g_hash_table_unref(arrivals->of_traces);
	itp_decoder_free(arrivals->decoder);
	g_free(arrivals);
}

/* Text in the environment of `trace`; NULL without such a text. */
static char *text_entry(const bt_trace *trace, const char *name)
{
	const bt_value *text = bt_trace_borrow_environment_entry_value_by_name_const(trace, name);

	return text && bt_value_is_string(text) ? g_strdup(bt_value_string_get(text)) : NULL;
}

static struct itp_clock clock_of(const bt_stream *stream)
{
	const bt_clock_class *given = bt_stream_class_borrow_default_clock_class_const(
		bt_stream_borrow_class_const(stream));
	struct itp_clock clock = { .has_epoch = false };
	int64_t zero_ns;

	if (given && itp_clock_zero_ns(given, &zero_ns)) {
		clock.has_epoch = bt_clock_class_origin_is_unix_epoch(given);
		clock.offset_ns = zero_ns;
	}
	return clock;
}

/* Architecture as told by recordings of perf, or traces made of them by perf. */
static char *architecture_of(const bt_trace *trace)
{
	char *architecture = text_entry(trace, "architecture");

	return architecture ? architecture : text_entry(trace, "machine");
}

static void note_facts(struct itp_set_workload *workload, const bt_trace *trace)
{
	for (uint64_t i = 0; i < bt_trace_get_environment_entry_count(trace); i++) {
		const bt_value *value;
		const char *name;

		bt_trace_borrow_environment_entry_by_index_const(trace, i, &name, &value);
		if (bt_value_is_string(value)) {
			itp_set_workload_add_fact(workload, name, bt_value_string_get(value));
		}
	}
}

static struct arrival *arrival_new(struct itp_workload_set *set, const bt_stream *stream)
{
	const bt_trace *trace = bt_stream_borrow_trace_const(stream);
	struct arrival *arrival = g_new0(struct arrival, 1);
	g_autofree char *architecture = architecture_of(trace);
	const struct itp_clock clock = clock_of(stream);
	const char *name = bt_trace_get_name(trace);

	arrival->trace = trace;
	bt_trace_get_ref(trace);
	arrival->workload =
		itp_workload_set_add(set, name ? name : "unnamed", &clock, architecture);
	arrival->workload->input_path = text_entry(trace, ITP_INPUT_ENTRY);
	note_facts(arrival->workload, trace);
	arrival->intake = itp_intake_new(set, arrival->workload);
	return arrival;
}

/* Arrival of `stream`, made when new. Weak. */
static struct arrival *find_arrival(struct itp_arrivals *arrivals, const bt_stream *stream)
{
	const bt_trace *trace = bt_stream_borrow_trace_const(stream);
	struct arrival *arrival = g_hash_table_lookup(arrivals->of_traces, trace);

	if (!arrival) {
		arrival = arrival_new(arrivals->set, stream);
		g_hash_table_insert(arrivals->of_traces, (gpointer)trace, arrival);
	}
	return arrival;
}

void itp_stream_note_file(const bt_stream *stream, GPtrArray *paths)
{
	const char *name = bt_stream_get_name(stream);

	if (name && g_path_is_absolute(name)) {
		g_ptr_array_add(paths, g_strdup(name));
	}
}

static bool add_event(struct itp_arrivals *arrivals, const bt_event *event,
		      struct itp_set_workload **ret_period, GError **error)
{
	struct arrival *arrival = find_arrival(arrivals, bt_event_borrow_stream_const(event));
	struct itp_record record;

	if (!itp_decode(arrivals->decoder, event, &record, error)) {
		return false;
	}
	if (!itp_intake_take(arrival->intake, &record, error)) {
		return false;
	}
	*ret_period = record.type == ITP_RECORD_WORKLOAD && record.workload.period > 0 ?
			      arrival->workload :
			      NULL;
	return true;
}

static void note_loss(struct itp_arrivals *arrivals, const bt_stream *stream)
{
	find_arrival(arrivals, stream)->workload->has_loss = true;
}

bool itp_arrivals_add(struct itp_arrivals *arrivals, const bt_message *message,
		      struct itp_set_workload **ret_period, GError **error)
{
	const bt_stream *stream;

	*ret_period = NULL;
	switch (bt_message_get_type(message)) {
	case BT_MESSAGE_TYPE_STREAM_BEGINNING:
		stream = bt_message_stream_beginning_borrow_stream_const(message);
		itp_stream_note_file(stream, find_arrival(arrivals, stream)->workload->file_paths);
		return true;
	case BT_MESSAGE_TYPE_EVENT:
		return add_event(arrivals, bt_message_event_borrow_event_const(message), ret_period,
				 error);
	case BT_MESSAGE_TYPE_DISCARDED_EVENTS:
		note_loss(arrivals, bt_message_discarded_events_borrow_stream_const(message));
		return true;
	case BT_MESSAGE_TYPE_DISCARDED_PACKETS:
		note_loss(arrivals, bt_message_discarded_packets_borrow_stream_const(message));
		return true;
	default:
		return true;
	}
}
