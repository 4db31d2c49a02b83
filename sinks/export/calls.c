/* SPDX-License-Identifier: MIT */
/* See calls.h. Functions get their canonical names, as in a ranking. */
#include "sinks/export/calls.h"

#include <errno.h>

#include "common/base/error.h"
#include "common/base/failure.h"
#include "common/schema/id-map.h"
#include "messages/coding.h"

/* Module of units, a name that no real module has. */
#define UNIT_MODULE "[unit]"

/* Trace while it is read. */
struct input {
	/* Trace, owned by this, so that its address stays taken. */
	const bt_trace *trace;
	struct itp_id_map *function_ids;
	/* Function of each context. */
	struct itp_id_map *node_functions;
	/* Function for each type of units. */
	struct itp_id_map *unit_functions;
};

struct itp_export_calls {
	struct itp_timeline_options options;
	const struct itp_names *names;
	/* Owned by this. */
	struct itp_decoder *decoder;
	struct itp_function_table *functions;
	struct itp_timeline *timeline;
	/* const bt_trace * → struct input *, owned by this; and the input with calls, weak. */
	GHashTable *inputs;
	const struct input *shown;
	/* Name and completeness, as the input describes itself. */
	char *name;
	bool is_complete;
	bool has_loss;
	/* Latencies are no more than guesses: nobody watched the time between stacks. */
	bool is_unwatched;
};

static void free_input(void *data)
{
	struct input *input = data;

	itp_id_map_free(input->function_ids);
	itp_id_map_free(input->node_functions);
	itp_id_map_free(input->unit_functions);
	bt_trace_put_ref(input->trace);
	g_free(input);
}

static void fail_room(const struct itp_export_calls *calls, GError **error)
{
	itp_failure_set(error,
			"%s: no room for the calls: %s; the environment variable TMPDIR may "
			"name another directory",
			calls->options.directory, g_strerror(errno));
}

struct itp_export_calls *itp_export_calls_new(const struct itp_timeline_options *options,
					      const struct itp_names *names, GError **error)
{
	struct itp_export_calls *calls = g_new0(struct itp_export_calls, 1);

	calls->options = *options;
	calls->names = names;
	calls->decoder = itp_decoder_new();
	calls->functions = itp_function_table_new();
	calls->inputs = g_hash_table_new_full(NULL, NULL, NULL, free_input);
	calls->timeline = itp_timeline_new(options);
	if (!calls->timeline) {
		fail_room(calls, error);
		g_clear_pointer(&calls, itp_export_calls_free);
	}
	return calls;
}

void itp_export_calls_free(struct itp_export_calls *calls)
{
	if (!calls) {
		return;
	}
	itp_timeline_free(calls->timeline);
	g_hash_table_unref(calls->inputs);
	itp_function_table_free(calls->functions);
	itp_decoder_free(calls->decoder);
	g_free(calls->name);
	g_free(calls);
}

static struct input *find_input(struct itp_export_calls *calls, const bt_stream *stream)
{
	const bt_trace *trace = bt_stream_borrow_trace_const(stream);
	struct input *input = g_hash_table_lookup(calls->inputs, trace);

	if (!input) {
		input = g_new0(struct input, 1);
		input->trace = trace;
		bt_trace_get_ref(trace);
		input->function_ids = itp_id_map_new("function");
		input->node_functions = itp_id_map_new("context");
		input->unit_functions = itp_id_map_new("unit");
		g_hash_table_insert(calls->inputs, (gpointer)trace, input);
	}
	return input;
}

static bool put_function(struct itp_export_calls *calls, struct input *input,
			 const struct itp_function_record *record, GError **error)
{
	struct itp_function function = record->function;
	struct itp_canonical canonical;

	if (!itp_names_apply(calls->names, &function, &canonical, error)) {
		return false;
	}
	function.name = canonical.name;
	function.module = canonical.module;
	itp_id_map_put(input->function_ids, record->id,
		       itp_function_table_intern(calls->functions, &function));
	itp_canonical_clear(&canonical);
	return true;
}

static bool put_context(struct input *input, const struct itp_context_record *record,
			GError **error)
{
	uint32_t function;

	if (!itp_id_map_get(input->function_ids, record->function, &function, error)) {
		return false;
	}
	itp_id_map_put(input->node_functions, record->id, function);
	return true;
}

static bool check_timeline(const struct itp_export_calls *calls, int code, GError **error)
{
	if (code == ITP_ERROR_IO) {
		fail_room(calls, error);
	} else if (code < 0) {
		itp_failure_set(error, "%s", itp_error_text(code));
	}
	return code == ITP_OK;
}

static bool add_call_instance(struct itp_export_calls *calls, const struct input *input,
			      const struct itp_instance *instance, GError **error)
{
	uint32_t function;

	if (calls->shown && calls->shown != input) {
		itp_failure_set(error,
				"calls of several inputs, and a timeline shows those of one; "
				"export one after the other");
		return false;
	}
	calls->shown = input;
	if (!itp_id_map_get(input->node_functions, instance->node, &function, error)) {
		return false;
	}
	return check_timeline(calls, itp_timeline_add(calls->timeline, function, instance), error);
}

/* A type is named by the functions that tell it, or by its loop. */
static void add_unit_type(struct itp_export_calls *calls, struct input *input,
			  const struct itp_unit_record *record)
{
	const struct itp_unit_sum *sum = &record->sum;
	const struct itp_function function = {
		.name = sum->telling[0] != '\0' ? sum->telling : sum->loop,
		.module = UNIT_MODULE,
		.build_id = "",
		.layer = ITP_LAYER_PROCESS,
	};

	itp_id_map_put(input->unit_functions, record->id,
		       itp_function_table_intern(calls->functions, &function));
}

static bool add_unit_span(struct itp_export_calls *calls, const struct input *input,
			  const struct itp_unit_span_record *unit, GError **error)
{
	uint32_t function;

	return itp_id_map_get(input->unit_functions, unit->unit, &function, error) &&
	       check_timeline(calls,
			      itp_timeline_add_unit(calls->timeline, function, unit->pid, unit->tid,
						    unit->begin_ns, unit->end_ns),
			      error);
}

static bool has_latencies(const struct itp_workload_record *record)
{
	const struct itp_workload workload = itp_workload_of_record(record);

	return itp_workload_has_latencies(&workload);
}

static bool add_record(struct itp_export_calls *calls, struct input *input,
		       const struct itp_record *record, GError **error)
{
	switch (record->type) {
	case ITP_RECORD_FUNCTION:
		return put_function(calls, input, &record->function, error);
	case ITP_RECORD_CONTEXT:
		return put_context(input, &record->context, error);
	case ITP_RECORD_INSTANCE:
		return add_call_instance(calls, input, &record->instance.instance, error);
	case ITP_RECORD_UNIT:
		add_unit_type(calls, input, &record->unit);
		return true;
	case ITP_RECORD_UNIT_SPAN:
		return add_unit_span(calls, input, &record->unit_span, error);
	case ITP_RECORD_WORKLOAD:
		g_free(calls->name);
		calls->name = g_strdup(record->workload.name);
		calls->is_complete = record->workload.complete;
		calls->is_unwatched = !has_latencies(&record->workload);
		return true;
	default:
		return true;
	}
}

bool itp_export_calls_add(struct itp_export_calls *calls, const bt_message *message, GError **error)
{
	const bt_event *event;
	struct itp_record record;

	switch (bt_message_get_type(message)) {
	case BT_MESSAGE_TYPE_EVENT:
		event = bt_message_event_borrow_event_const(message);
		return itp_decode(calls->decoder, event, &record, error) &&
		       add_record(calls, find_input(calls, bt_event_borrow_stream_const(event)),
				  &record, error);
	case BT_MESSAGE_TYPE_DISCARDED_EVENTS:
	case BT_MESSAGE_TYPE_DISCARDED_PACKETS:
		calls->has_loss = true;
		return true;
	default:
		return true;
	}
}

bool itp_export_calls_finish(struct itp_export_calls *calls,
			     struct itp_export_timeline *ret_timeline)
{
	if (!calls->shown) {
		return false;
	}
	itp_timeline_finish(calls->timeline);
	*ret_timeline =
		(struct itp_export_timeline){ .name = calls->name ? calls->name : "unnamed",
					      .functions = calls->functions,
					      .timeline = calls->timeline,
					      .is_complete = calls->is_complete && !calls->has_loss,
					      .is_watched = !calls->is_unwatched };
	return true;
}
