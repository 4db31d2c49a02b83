/* SPDX-License-Identifier: MIT */
/*
 * See infer.h. For each input trace: has stack events made of what other tracers recorded; maps its
 * function ids to those of a table of our own, feeds its stack events to an itp_infer, and emits
 * what comes back - instances, what goes on and the counts at the end of each period, the wakers
 * and the counts at the end. Entries and exits of the calls go to a trace beside it.
 */
#include "filters/infer/infer.h"

#include "common/base/error.h"
#include "common/base/failure.h"
#include "common/base/watched.h"
#include "common/control-flow/answers.h"
#include "common/engine/period.h"
#include "common/schema/id-map.h"
#include "common/unit/asked.h"
#include "filters/infer/calls.h"
#include "filters/infer/output.h"
#include "filters/infer/params.h"
#include "messages/filter.h"
#include "messages/foreign-layout.h"

struct infer_state {
	/* Weak. */
	struct itp_filter_trace *trace;
	const struct itp_infer_options *options;
	const struct itp_foreign_options *foreign_options;
	/* Calls; NULL where not wanted. Owned by this. */
	struct itp_calls *calls;
	/* Adapter for foreign events, NULL before the first. Owned by this. */
	struct itp_foreign *foreign;
	/* Owned by this. */
	struct itp_function_table *functions;
	struct itp_context_tree *tree;
	struct itp_infer *infer;
	struct itp_asked *asked;
	/* Stretches are told, and system calls in no context. */
	bool tells_stretches;
	struct itp_period_watch watch;
	/* Counts before the present period. */
	struct itp_infer_counts told;
	/* Processes left out. Owned by this. */
	GHashTable *excluded_pids;
	struct itp_flow_answers *answers;
	struct itp_id_map *function_ids;
	/* struct itp_frame of the event being handled, with our function ids. */
	GArray *frames;
	struct itp_infer_output output;
	/* Error while the core called back. Owned by this. */
	GError *error;
};

static void emit_instance(struct infer_state *state, enum itp_record_type type,
			  const struct itp_instance *instance)
{
	if (!state->error) {
		itp_infer_output_instance(&state->output, type, instance, &state->error);
	}
}

static void on_call(const struct itp_call *call, void *data)
{
	struct infer_state *state = data;

	if (!state->error) {
		itp_calls_enter(state->calls, call, &state->error);
	}
}

static void on_instance(const struct itp_instance *instance, void *data)
{
	struct infer_state *state = data;

	itp_asked_add(state->asked, instance);
	emit_instance(state, ITP_RECORD_INSTANCE, instance);
	if (!state->error && state->calls) {
		itp_calls_leave(state->calls, instance, &state->error);
	}
}

static void on_running(const struct itp_instance *instance, void *data)
{
	emit_instance(data, ITP_RECORD_RUNNING, instance);
}

static void on_share(const struct itp_share *share, void *data)
{
	struct infer_state *state = data;

	if (!state->error) {
		itp_infer_output_share(&state->output, share, &state->error);
	}
}

static void on_stretch(const struct itp_stretch *stretch, void *data)
{
	struct infer_state *state = data;

	if (!state->error) {
		itp_infer_output_stretch(&state->output, stretch, &state->error);
	}
}

static void on_unplaced(const struct itp_instance *call, uint32_t function, void *data)
{
	struct infer_state *state = data;

	itp_asked_add_unplaced(state->asked, call, function);
	if (state->tells_stretches && !state->error) {
		itp_infer_output_unplaced(&state->output, call, function, &state->error);
	}
}

/* Kinds of events that the source says it watches; of a trace without such a word, wakeups are
 * watched where it has events of the kind: a program that nobody had to wake has none. */
static uint32_t watched_of(const struct itp_filter_trace *trace)
{
	const bt_trace *input = itp_filter_trace_input(trace);
	const bt_value *text =
		bt_trace_borrow_environment_entry_value_by_name_const(input, ITP_WATCHED_ENTRY);

	if (text && bt_value_is_string(text)) {
		return itp_watched_parse(bt_value_string_get(text));
	}
	return itp_foreign_has_wakeups(input) ? ITP_WATCHED_WAKEUPS : 0;
}

static void *begin_infer(const void *data, struct itp_filter_trace *trace)
{
	const struct itp_infer_params *params = data;
	struct infer_state *state = g_new0(struct infer_state, 1);
	struct itp_infer_options options;
	struct itp_period period;

	state->trace = trace;
	state->options = &params->infer;
	state->foreign_options = &params->foreign;
	state->functions = itp_function_table_new();
	state->tree = itp_context_tree_new();
	state->answers = itp_flow_answers_new(state->functions);
	options = *state->options;
	if (params->calls) {
		state->calls = itp_calls_new(trace, state->functions, state->tree);
		options.on_call = on_call;
	}
	state->tells_stretches = params->stretches || itp_filter_feeds(trace, "wait") ||
				 itp_filter_feeds(trace, "unit");
	if (state->tells_stretches) {
		options.on_stretch = on_stretch;
	}
	options.on_unplaced = on_unplaced;
	options.flow = itp_flow_answers_flow(state->answers);
	state->asked = itp_asked_new(state->tree, state->functions);
	state->infer = itp_infer_new(&options, state->functions, state->tree, on_instance, state);
	itp_infer_watch(state->infer, watched_of(trace));
	itp_asked_set_infer(state->asked, state->infer);
	(void)itp_period_parse(params->period, &period, NULL);
	itp_period_watch_init(&state->watch, &period);
	state->excluded_pids = itp_infer_params_excluded(params, NULL);
	state->function_ids = itp_id_map_new("function");
	itp_id_map_put(state->function_ids, ITP_FUNCTION_UNKNOWN, ITP_FUNCTION_UNKNOWN);
	state->frames = g_array_new(FALSE, TRUE, sizeof(struct itp_frame));
	itp_infer_output_init(&state->output, trace, state->functions, state->tree);
	return state;
}

static void free_infer(void *data)
{
	struct infer_state *state = data;

	itp_foreign_free(state->foreign);
	itp_calls_free(state->calls);
	itp_infer_free(state->infer);
	itp_asked_free(state->asked);
	itp_flow_answers_free(state->answers);
	itp_context_tree_free(state->tree);
	itp_function_table_free(state->functions);
	itp_id_map_free(state->function_ids);
	g_hash_table_unref(state->excluded_pids);
	g_array_unref(state->frames);
	g_clear_error(&state->error);
	g_free(state);
}

static bool emit_workload(struct infer_state *state, const struct itp_workload_record *workload,
			  GError **error)
{
	g_autofree char *given = itp_infer_options_text(state->options);
	g_autofree char *options = g_strconcat(
		given, itp_filter_trace_is_trimmed(state->trace) ? " window=chosen" : "", NULL);
	struct itp_workload_record record = *workload;
	const struct itp_infer_counts since = itp_infer_counts_since(&record.counts, &state->told);

	record.name = itp_filter_trace_name(state->trace);
	record.options = options;
	record.complete = record.complete && itp_infer_counts_are_whole(&since);
	state->told = record.counts;
	return itp_filter_emit(state->trace, ITP_RECORD_WORKLOAD, &record, error);
}

static bool return_error(struct infer_state *state, GError **error)
{
	if (state->error) {
		g_propagate_error(error, g_steal_pointer(&state->error));
		return false;
	}
	return true;
}

/* At the end of a period: tells open instances, and the counts until then. */
static bool look_at_period(struct infer_state *state, bool is_event, GError **error)
{
	struct itp_workload_record workload = { .complete = true };
	int64_t begin_ns = state->watch.begin_ns;
	int64_t end_ns;

	if (!itp_period_watch_pass(&state->watch, itp_filter_time_ns(state->trace), is_event,
				   &end_ns)) {
		return true;
	}
	itp_infer_show_open(state->infer, end_ns, on_running, state);
	itp_infer_tell_shares(state->infer, on_share, state);
	workload.counts = itp_infer_counts_until(state->infer, begin_ns, end_ns);
	workload.period = state->watch.number;
	return return_error(state, error) && emit_workload(state, &workload, error);
}

static bool pass_period(void *data, GError **error)
{
	return look_at_period(data, false, error);
}

static bool push_event(struct infer_state *state, const struct itp_stack_event *event,
		       GError **error)
{
	int code = itp_infer_push(state->infer, event);

	if (code < 0) {
		itp_failure_set(error, "%s: at %" G_GINT64_FORMAT " ns: %s",
				itp_filter_trace_name(state->trace), event->time_ns,
				itp_error_text(code));
		return false;
	}
	return return_error(state, error);
}

static bool map_function(const struct infer_state *state, uint32_t input, uint32_t *ret_function,
			 GError **error)
{
	if (!itp_id_map_get(state->function_ids, input, ret_function, error)) {
		g_prefix_error(error, "%s: ", itp_filter_trace_name(state->trace));
		return false;
	}
	return true;
}

/* Replaces the ids of the input by ours and pushes the event, unless it is to be left out. */
static bool push_stack(struct infer_state *state, const struct itp_stack_event *input,
		       GError **error)
{
	struct itp_stack_event event = *input;
	size_t i;

	if (g_hash_table_contains(state->excluded_pids, GINT_TO_POINTER(input->pid))) {
		return true;
	}
	event.time_ns = itp_filter_time_ns(state->trace);
	if (!map_function(state, input->callee, &event.callee, error)) {
		return false;
	}
	g_array_set_size(state->frames, 0);
	for (i = 0; i < input->frame_count; i++) {
		struct itp_frame frame = input->frames[i];

		if (!map_function(state, input->frames[i].function, &frame.function, error)) {
			return false;
		}
		g_array_append_val(state->frames, frame);
	}
	event.frames = (const struct itp_frame *)(void *)state->frames->data;
	return push_event(state, &event, error);
}

/* Downstream nobody reads code, and its place on this machine is no business of a profile. */
static void introduce(struct infer_state *state, const struct itp_function_record *record)
{
	struct itp_function function = record->function;
	uint32_t id;

	function.file = "";
	id = itp_function_table_intern(state->functions, &function);
	itp_id_map_put(state->function_ids, record->id, id);
	itp_flow_answers_add(state->answers, id, record->function.file, record->function.build_id);
}

static bool infer_from_record(void *data, const struct itp_record *record, GError **error)
{
	struct infer_state *state = data;

	if (record->type == ITP_RECORD_FUNCTION) {
		introduce(state, &record->function);
		return true;
	}
	return record->type != ITP_RECORD_STACK ||
	       (look_at_period(state, true, error) && push_stack(state, &record->stack, error));
}

static bool handle_foreign(void *data, const bt_event *event, bool *ret_is_input, GError **error)
{
	struct infer_state *state = data;

	if (!state->foreign) {
		state->foreign = itp_foreign_new(
			state->foreign_options, itp_filter_trace_input(state->trace),
			itp_filter_trace_name(state->trace), infer_from_record, state);
	}
	return look_at_period(state, false, error) &&
	       itp_foreign_push(state->foreign, event, itp_filter_time_ns(state->trace),
				ret_is_input, error);
}

static bool push_loss(struct infer_state *state, int64_t count, GError **error)
{
	const struct itp_stack_event event = {
		.kind = ITP_EVENT_LOSS,
		.time_ns = itp_filter_time_ns(state->trace),
		.pid = -1,
		.tid = -1,
		.cpu = -1,
		.comm = "",
		.argument = count,
	};

	return push_event(state, &event, error);
}

static bool infer_from_loss(void *data, int64_t count, GError **error)
{
	return look_at_period(data, false, error) && push_loss(data, count, error);
}

static bool end_infer(void *data, enum itp_filter_ending ending, bool *ret_more, GError **error)
{
	struct itp_workload_record workload = { .complete = ending == ITP_FILTER_AT_END };
	struct infer_state *state = data;

	*ret_more = false;
	if (state->foreign) {
		itp_foreign_warn(state->foreign, "filter.introperf.infer");
	}
	if (ending == ITP_FILTER_CUT && !push_loss(state, ITP_LOSS_CUT, error)) {
		return false;
	}
	itp_infer_finish(state->infer);
	itp_infer_tell_shares(state->infer, on_share, state);
	workload.counts = *itp_infer_counts(state->infer);
	return return_error(state, error) &&
	       itp_infer_output_wakers(&state->output, itp_infer_wakers(state->infer), error) &&
	       emit_workload(state, &workload, error) &&
	       (!state->calls || itp_calls_end(state->calls, error));
}

static bool passes_input(const void *params)
{
	return ((const struct itp_infer_params *)params)->pass_through;
}

static const struct itp_filter_ops infer_ops = {
	.params = &itp_infer_filter_table,
	.params_default = &itp_infer_filter_defaults,
	.params_bytes = sizeof(struct itp_infer_params),
	.check_params = itp_infer_params_check,
	.input = ITP_RECORD_STACK,
	.accepts = itp_foreign_has_stacks,
	.handle_foreign = handle_foreign,
	.passes_input = passes_input,
	.missing_text = ITP_INFER_MISSING_TEXT("come from source.introperf.perf, or be"),
	.passed = 1U << ITP_RECORD_INSTANCE | 1U << ITP_RECORD_NODE | 1U << ITP_RECORD_SEARCH,
	.outputs = 1U << ITP_RECORD_FUNCTION | 1U << ITP_RECORD_CONTEXT |
		   1U << ITP_RECORD_INSTANCE | 1U << ITP_RECORD_WAKER | 1U << ITP_RECORD_WORKLOAD |
		   1U << ITP_RECORD_RUNNING | 1U << ITP_RECORD_SHARE | 1U << ITP_RECORD_STRETCH |
		   1U << ITP_RECORD_UNPLACED,
	.begin = begin_infer,
	.free = free_infer,
	.handle = infer_from_record,
	.lose = infer_from_loss,
	.pass = pass_period,
	.end = end_infer,
};

bt_component_class_initialize_method_status itp_infer_filter_init(
	bt_self_component_filter *self, bt_self_component_filter_configuration *configuration,
	const bt_value *params, void *data)
{
	(void)configuration;
	return itp_filter_init(self, &infer_ops, params, data);
}
