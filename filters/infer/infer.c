/* SPDX-License-Identifier: MIT */
/*
 * See infer.h. For each input trace: has stack events made of what other tracers recorded; maps its
 * function ids to those of a table of our own, feeds its stack events to an itp_infer, and emits
 * what comes back - each function and each context before the first instance that needs it, what
 * goes on and the counts at the end of each period, the wakers and the counts at the end. Entries
 * and exits of the calls go to a trace beside it.
 */
#include "filters/infer/infer.h"

#include "common/error.h"
#include "common/control-flow/answers.h"
#include "filters/infer/calls.h"
#include "plugins/babeltrace/failure.h"
#include "plugins/babeltrace/filter.h"
#include "plugins/babeltrace/foreign.h"
#include "plugins/babeltrace/id-map.h"
#include "plugins/babeltrace/period.h"

struct infer_params {
	/* As given; owned by this. */
	char *period;
	/* Numbers of processes. Owned by this. */
	GPtrArray *exclude_pids;
	struct itp_infer_options infer;
	struct itp_foreign_options foreign;
	/* Entries and exits of all calls are wanted, and the input itself. */
	bool calls;
	bool pass_through;
};

struct infer_state {
	/* Weak. */
	struct itp_filter_trace *trace;
	const struct itp_infer_options *options;
	const struct itp_foreign_options *foreign_options;
	/* NULL where they are not wanted. Owned by this. */
	struct itp_calls *calls;
	/* NULL until an event comes that is none of ours. Owned by this. */
	struct itp_foreign *foreign;
	/* Owned by this. */
	struct itp_function_table *functions;
	struct itp_context_tree *tree;
	struct itp_infer *infer;
	struct itp_period_watch watch;
	/* Before the period that goes on. */
	uint64_t losses_before;
	/* What they do is left out. Owned by this. */
	GHashTable *excluded_pids;
	struct itp_flow_answers *answers;
	struct itp_id_map *function_ids;
	/* struct itp_frame of the event being handled, with our function ids. */
	GArray *frames;
	/* How much of the table and of the tree is already downstream. */
	uint32_t sent_functions;
	uint32_t sent_contexts;
	/* What went wrong while the core called back. Owned by this. */
	GError *error;
};

static const char *const continuity_names[] = {
	[ITP_CONTINUITY_FUNCTION] = "function",
	[ITP_CONTINUITY_CALL_SITE] = "call-site",
	[ITP_CONTINUITY_CONTROL_FLOW] = "control-flow",
	NULL,
};

static const char *const group_by_names[] = {
	[ITP_GROUP_BY_PROCESS] = "process",
	[ITP_GROUP_BY_PID] = "pid",
	[ITP_GROUP_BY_TID] = "tid",
	[ITP_GROUP_BY_ALL] = "all",
	NULL,
};

/* Of a struct itp_infer_options that lies at `offset`. */
#define OPTION_PARAMS(offset)                                                                   \
	{ "continuity", ITP_PARAM_CHOICE,                                                       \
	  (offset) + offsetof(struct itp_infer_options, continuity), continuity_names },        \
	{                                                                                       \
		"group-by", ITP_PARAM_CHOICE,                                                   \
			(offset) + offsetof(struct itp_infer_options, group_by), group_by_names \
	}

#define OPTION_DEFAULTS                                                                     \
	{                                                                                   \
		.continuity = ITP_CONTINUITY_CONTROL_FLOW, .group_by = ITP_GROUP_BY_PROCESS \
	}

static const struct itp_param option_params[] = { OPTION_PARAMS(0) };

const struct itp_param_table itp_infer_param_table = { option_params, G_N_ELEMENTS(option_params) };

const struct itp_infer_options itp_infer_defaults = OPTION_DEFAULTS;

static const struct itp_param filter_params[] = {
	OPTION_PARAMS(offsetof(struct infer_params, infer)),
	{ "period", ITP_PARAM_STRING, offsetof(struct infer_params, period), NULL },
	{ "exclude-pid", ITP_PARAM_STRINGS, offsetof(struct infer_params, exclude_pids), NULL },
	{ "symfs", ITP_PARAM_STRING, offsetof(struct infer_params, foreign.symfs), NULL },
	{ "kallsyms", ITP_PARAM_STRING, offsetof(struct infer_params, foreign.kallsyms), NULL },
	{ "maps", ITP_PARAM_STRINGS, offsetof(struct infer_params, foreign.maps), NULL },
	{ "calls", ITP_PARAM_BOOL, offsetof(struct infer_params, calls), NULL },
	{ "pass-through", ITP_PARAM_BOOL, offsetof(struct infer_params, pass_through), NULL },
};

static const struct itp_param_table filter_table = { filter_params, G_N_ELEMENTS(filter_params) };

static const struct infer_params filter_defaults = { .infer = OPTION_DEFAULTS };

char *itp_infer_options_text(const struct itp_infer_options *options)
{
	return g_strdup_printf("continuity=%s group-by=%s", continuity_names[options->continuity],
			       group_by_names[options->group_by]);
}

static bool emit_functions(struct infer_state *state, GError **error)
{
	uint32_t size = itp_function_table_size(state->functions);

	for (; state->sent_functions < size; state->sent_functions++) {
		const struct itp_function_record record = {
			.id = state->sent_functions,
			.function =
				*itp_function_table_get(state->functions, state->sent_functions),
		};

		if (!itp_filter_emit(state->trace, ITP_RECORD_FUNCTION, &record, error)) {
			return false;
		}
	}
	return true;
}

static bool emit_contexts(struct infer_state *state, GError **error)
{
	uint32_t size = itp_context_tree_size(state->tree);

	for (; state->sent_contexts < size; state->sent_contexts++) {
		const struct itp_context *context =
			itp_context_tree_get(state->tree, state->sent_contexts);
		const struct itp_context_record record = {
			.id = state->sent_contexts,
			.parent = context->parent,
			.function = context->function,
		};

		if (!itp_filter_emit(state->trace, ITP_RECORD_CONTEXT, &record, error)) {
			return false;
		}
	}
	return true;
}

static bool emit_instance(struct infer_state *state, enum itp_record_type type,
			  const struct itp_instance *instance, GError **error)
{
	const struct itp_context *context = itp_context_tree_get(state->tree, instance->node);
	const struct itp_instance_record record = {
		.function = itp_function_table_get(state->functions, context->function)->name,
		.instance = *instance,
	};

	return itp_filter_emit(state->trace, type, &record, error);
}

static void introduce_and_emit(struct infer_state *state, enum itp_record_type type,
			       const struct itp_instance *instance)
{
	if (!state->error && emit_functions(state, &state->error) &&
	    emit_contexts(state, &state->error)) {
		emit_instance(state, type, instance, &state->error);
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

	introduce_and_emit(state, ITP_RECORD_INSTANCE, instance);
	if (!state->error && state->calls) {
		itp_calls_leave(state->calls, instance, &state->error);
	}
}

static void on_running(const struct itp_instance *instance, void *data)
{
	introduce_and_emit(data, ITP_RECORD_RUNNING, instance);
}

static bool emit_wakers(struct infer_state *state, GError **error)
{
	const struct itp_wakers *wakers = itp_infer_wakers(state->infer);

	if (!emit_functions(state, error) || !emit_contexts(state, error)) {
		return false;
	}
	for (uint32_t node = 0; node < itp_wakers_node_count(wakers); node++) {
		guint count;
		const struct itp_waker *list = itp_wakers_of_node(wakers, node, &count);

		for (guint i = 0; i < count; i++) {
			if (!itp_filter_emit(state->trace, ITP_RECORD_WAKER, &list[i], error)) {
				return false;
			}
		}
	}
	return true;
}

/* As keys of a set that the caller owns; NULL after an error. */
static GHashTable *parse_pids(const GPtrArray *texts, GError **error)
{
	g_autoptr(GHashTable) pids = g_hash_table_new(NULL, NULL);

	for (guint i = 0; texts && i < texts->len; i++) {
		const char *text = g_ptr_array_index(texts, i);
		guint64 pid;

		if (!g_ascii_string_to_unsigned(text, 10, 0, G_MAXINT32, &pid, NULL)) {
			itp_failure_set(error,
					"parameter \"exclude-pid\": \"%s\" is no number of a "
					"process",
					text);
			return NULL;
		}
		g_hash_table_add(pids, GINT_TO_POINTER((gint)pid));
	}
	return g_steal_pointer(&pids);
}

static bool check_params(const void *params, GError **error)
{
	const struct infer_params *infer = params;
	g_autoptr(GHashTable) pids = parse_pids(infer->exclude_pids, error);
	struct itp_period period;

	return pids && itp_period_parse(infer->period, &period, error) &&
	       itp_foreign_options_check(&infer->foreign, error);
}

static void *begin_infer(const void *data, struct itp_filter_trace *trace)
{
	const struct infer_params *params = data;
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
	options.flow = (struct itp_flow){ .can_stay = itp_flow_answers_can_stay,
					  .may_jump_away = itp_flow_answers_may_jump_away,
					  .may_avoid = itp_flow_answers_may_avoid,
					  .is_frameless = itp_flow_answers_is_frameless,
					  .data = state->answers };
	state->infer = itp_infer_new(&options, state->functions, state->tree, on_instance, state);
	(void)itp_period_parse(params->period, &period, NULL);
	itp_period_watch_init(&state->watch, &period);
	state->excluded_pids = parse_pids(params->exclude_pids, NULL);
	state->function_ids = itp_id_map_new("function");
	itp_id_map_put(state->function_ids, ITP_FUNCTION_UNKNOWN, ITP_FUNCTION_UNKNOWN);
	state->frames = g_array_new(FALSE, TRUE, sizeof(struct itp_frame));
	/* The root of the tree is in every tree. */
	state->sent_contexts = ITP_CONTEXT_ROOT + 1;
	return state;
}

static void free_infer(void *data)
{
	struct infer_state *state = data;

	itp_foreign_free(state->foreign);
	itp_calls_free(state->calls);
	itp_infer_free(state->infer);
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

	record.name = itp_filter_trace_name(state->trace);
	record.options = options;
	record.complete = record.complete && record.counts.losses == state->losses_before &&
			  !record.counts.cut;
	state->losses_before = record.counts.losses;
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

/* If a period is over: tells what goes on, and what was counted until then. */
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
	workload.counts = *itp_infer_counts(state->infer);
	if (workload.counts.events == 0) {
		workload.counts.begin_ns = begin_ns;
	}
	workload.counts.end_ns = end_ns;
	workload.period = state->watch.number;
	return return_error(state, error) && emit_workload(state, &workload, error);
}

static bool pass(void *data, GError **error)
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

/* Downstream nobody reads code, and where it lies on this machine is no business of a profile. */
static void introduce(struct infer_state *state, const struct itp_function_record *record)
{
	struct itp_function function = record->function;
	uint32_t id;

	function.file = "";
	id = itp_function_table_intern(state->functions, &function);
	itp_id_map_put(state->function_ids, record->id, id);
	itp_flow_answers_add(state->answers, id, record->function.file, record->function.build_id);
}

static bool handle_record(void *data, const struct itp_record *record, GError **error)
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
			itp_filter_trace_name(state->trace), handle_record, state);
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

static bool lose_events(void *data, int64_t count, GError **error)
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
	workload.counts = *itp_infer_counts(state->infer);
	return return_error(state, error) && emit_wakers(state, error) &&
	       emit_workload(state, &workload, error) &&
	       (!state->calls || itp_calls_end(state->calls, error));
}

static bool passes_input(const void *params)
{
	return ((const struct infer_params *)params)->pass_through;
}

static const struct itp_filter_ops infer_ops = {
	.params = &filter_table,
	.params_default = &filter_defaults,
	.params_bytes = sizeof(struct infer_params),
	.check_params = check_params,
	.input = ITP_RECORD_STACK,
	.accepts = itp_foreign_has_stacks,
	.handle_foreign = handle_foreign,
	.passes_input = passes_input,
	.missing_text = ITP_INFER_NO_EVENTS
	": it must come from source.introperf.perf, or "
	"be a trace with stacks (LTTng's contexts callstack-kernel and "
	"callstack-user, perf_callchain) or with lttng_ust_cyg_profile events",
	.passed = 1U << ITP_RECORD_INSTANCE | 1U << ITP_RECORD_NODE,
	.outputs = 1U << ITP_RECORD_FUNCTION | 1U << ITP_RECORD_CONTEXT |
		   1U << ITP_RECORD_INSTANCE | 1U << ITP_RECORD_WAKER | 1U << ITP_RECORD_WORKLOAD |
		   1U << ITP_RECORD_RUNNING,
	.begin = begin_infer,
	.free = free_infer,
	.handle = handle_record,
	.lose = lose_events,
	.pass = pass,
	.end = end_infer,
};

bt_component_class_initialize_method_status itp_infer_filter_init(
	bt_self_component_filter *self, bt_self_component_filter_configuration *configuration,
	const bt_value *params, void *data)
{
	(void)configuration;
	(void)data;
	return itp_filter_init(self, &infer_ops, params);
}
