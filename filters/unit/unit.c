/* SPDX-License-Identifier: MIT */
/*
 * See unit.h.
 */
#include "filters/unit/unit.h"

#include "common/base/failure.h"
#include "common/schema/profile-records.h"
#include "common/schema/unit-records.h"
#include "common/unit/log.h"
#include "common/unit/summary.h"
#include "common/unit/within.h"
#include "messages/filter.h"
#include "messages/told-contexts.h"
#include "messages/unplaced.h"

#define MISSING                                                                              \
	"no introperf:stretch events in the input; put filter.introperf.infer right before " \
	"this filter, or give it stretches=yes"

struct unit_params {
	double cut;
	bool each;
	/* Parameters as given; owned by this. */
	char *in;
	bool latencies;
};

struct unit_state {
	/* Weak. */
	struct itp_filter_trace *trace;
	const struct unit_params *params;
	/* All owned by this. */
	struct itp_function_table *functions;
	struct itp_id_map *function_ids;
	struct itp_told_contexts contexts;
	struct itp_unit_log *log;
	/* Part inside of units, where only it is told, instead of the log; and its profile, sent at
	 * the end. */
	struct itp_within *within;
	struct itp_profile *profile;
	struct itp_profile_records *records;
	/* Messages of the trace are missing. */
	bool lost;
	/* Stretches of its threads were told; calls were. */
	bool has_stretches;
	bool has_calls;
};

static const struct itp_param params_list[] = {
	{ "cut", ITP_PARAM_REAL, offsetof(struct unit_params, cut), NULL },
	{ "each", ITP_PARAM_BOOL, offsetof(struct unit_params, each), NULL },
	{ "in", ITP_PARAM_STRING, offsetof(struct unit_params, in), NULL },
	{ "latencies", ITP_PARAM_BOOL, offsetof(struct unit_params, latencies), NULL },
};

static const struct itp_param_table param_table = { params_list, G_N_ELEMENTS(params_list) };

static const struct unit_params unit_defaults = { .cut = ITP_UNIT_CUT };

static bool check_params(const void *data, GError **error)
{
	const struct unit_params *params = data;
	const char *type;

	if (params->cut != ITP_UNIT_CUT && !(params->cut >= 0 && params->cut <= 1)) {
		itp_failure_set(error, "parameter \"cut\": \"%g\" is not between 0 and 1",
				params->cut);
		return false;
	}
	if (params->in && params->each) {
		itp_failure_set(error, "parameter \"each\": what lies in units is summed by "
				       "parameter \"in\"; leave out one of them");
		return false;
	}
	return !params->in || itp_within_parse(params->in, &type, error);
}

static void *begin_unit(const void *params, struct itp_filter_trace *trace)
{
	struct unit_state *state = g_new0(struct unit_state, 1);

	state->trace = trace;
	state->params = params;
	state->functions = itp_function_table_new();
	state->function_ids = itp_id_map_new("function");
	itp_id_map_put(state->function_ids, ITP_FUNCTION_UNKNOWN, ITP_FUNCTION_UNKNOWN);
	itp_told_contexts_init(&state->contexts, itp_filter_trace_name(trace), state->function_ids);
	if (state->params->in) {
		state->within = itp_within_new(state->contexts.tree, state->functions,
					       state->params->in, state->params->latencies);
		state->profile = itp_profile_new(state->contexts.name);
	} else {
		state->log = itp_unit_log_new(state->contexts.tree, state->functions,
					      state->params->each ? -1 : INT64_MAX);
	}
	return state;
}

static void free_unit(void *data)
{
	struct unit_state *state = data;

	itp_unit_log_free(state->log);
	itp_within_free(state->within);
	itp_profile_records_free(state->records);
	itp_profile_free(state->profile);
	itp_told_contexts_release(&state->contexts);
	itp_id_map_free(state->function_ids);
	itp_function_table_free(state->functions);
	g_free(state);
}

static bool log_stretch(struct unit_state *state, const struct itp_stretch *input, GError **error)
{
	struct itp_stretch stretch;

	if (!itp_told_contexts_map(&state->contexts, input, &stretch, error)) {
		return false;
	}
	if (state->within) {
		itp_within_add_stretch(state->within, &stretch);
	} else {
		itp_unit_log_add_stretch(state->log, &stretch);
	}
	state->has_stretches = true;
	return true;
}

static bool log_instance(struct unit_state *state, const struct itp_instance *instance,
			 GError **error)
{
	if (!itp_told_contexts_check(&state->contexts, instance->node, error)) {
		return false;
	}
	if (state->within) {
		itp_within_add(state->within, instance);
	} else {
		itp_unit_log_add(state->log, instance);
	}
	state->has_calls = true;
	return true;
}

static bool add_unplaced(struct unit_state *state, const struct itp_unplaced_record *record,
			 GError **error)
{
	struct itp_instance call;
	uint32_t function;

	if (!itp_unplaced_read(record, state->function_ids, &call, &function, error)) {
		return false;
	}
	if (state->within) {
		itp_within_add_unplaced(state->within, &call, function);
	} else {
		itp_unit_log_add_unplaced(state->log, &call, function);
	}
	return true;
}

static bool log_record(struct unit_state *state, const struct itp_record *record, GError **error)
{
	switch (record->type) {
	case ITP_RECORD_FUNCTION:
		itp_id_map_put(
			state->function_ids, record->function.id,
			itp_function_table_intern(state->functions, &record->function.function));
		return true;
	case ITP_RECORD_CONTEXT:
		return itp_told_contexts_add(&state->contexts, &record->context, error);
	case ITP_RECORD_INSTANCE:
		return log_instance(state, &record->instance.instance, error);
	case ITP_RECORD_STRETCH:
		return log_stretch(state, &record->stretch, error);
	case ITP_RECORD_UNPLACED:
		return add_unplaced(state, &record->unplaced, error);
	default:
		return true;
	}
}

static bool pass_on_record(void *data, const struct itp_record *record, GError **error)
{
	struct unit_state *state = data;

	/* All members of the union begin where the union does. */
	return log_record(state, record, error) &&
	       itp_filter_emit(state->trace, record->type, &record->stack, error);
}

/* Units around losses are none: infer has told the calls concerned. */
static bool note_lost_calls(void *data, int64_t count, GError **error)
{
	((struct unit_state *)data)->lost = true;
	(void)count;
	(void)error;
	return true;
}

static bool send_record(void *data, enum itp_record_type type, const void *record, GError **error)
{
	return itp_filter_emit(data, type, record, error);
}

/* `numbers` are the types' numbers downstream, by their places. */
static bool emit_spans(const struct unit_state *state, const GArray *numbers, GError **error)
{
	const GArray *units = itp_unit_log_units(state->log);
	bool done = true;

	for (guint i = 0; done && i < units->len; i++) {
		const struct itp_logged_unit *unit =
			&g_array_index(units, struct itp_logged_unit, i);
		const struct itp_unit_span_record record = { .unit = g_array_index(numbers, guint,
										   unit->type),
							     .pid = unit->pid,
							     .tid = unit->tid,
							     .begin_ns = unit->begin_ns,
							     .end_ns = unit->end_ns };

		done = itp_filter_emit(state->trace, ITP_RECORD_UNIT_SPAN, &record, error);
	}
	return done;
}

/* Without them it is not known how units spent their time; when they were is. */
static bool check_stretches(const struct unit_state *state, GError **error)
{
	if (state->has_calls && !state->has_stretches && !state->params->each) {
		itp_failure_set(error, "%s: " MISSING, itp_filter_trace_name(state->trace));
		return false;
	}
	return true;
}

static bool end_unit(void *data, enum itp_filter_ending ending, bool *ret_more, GError **error)
{
	struct unit_state *state = data;
	g_autoptr(GArray) numbers = g_array_new(FALSE, FALSE, sizeof(guint));
	struct itp_unit_sums *sums;
	bool done;

	(void)ending;
	*ret_more = false;
	if (!check_stretches(state, error)) {
		return false;
	}
	sums = itp_unit_sums_new();
	itp_unit_log_finish(state->log, state->params->cut);
	itp_unit_types_sum(itp_unit_log_types(state->log), state->functions, state->params->cut,
			   sums, numbers);
	done = itp_unit_records_send(sums, !state->params->each, send_record, state->trace,
				     error) &&
	       emit_spans(state, numbers, error);
	itp_unit_sums_free(sums);
	return done;
}

/* ---- Only the part inside of units ---- */

static bool handle_within(void *data, const struct itp_record *record, GError **error)
{
	struct unit_state *state = data;

	if (record->type == ITP_RECORD_WORKLOAD) {
		const struct itp_workload description = itp_workload_of_record(&record->workload);

		itp_workload_describe(&state->profile->workload, &description);
		return true;
	}
	return log_record(state, record, error);
}

/* Completes the workload as told by infer. */
static void describe_workload(const struct unit_state *state, enum itp_filter_ending ending)
{
	struct itp_workload *workload = &state->profile->workload;
	g_autofree char *given = workload->options;

	workload->options = itp_within_options_text(state->params->in, given);
	itp_within_describe(workload);
	workload->counts.losses += state->lost;
	workload->counts.cut |= ending == ITP_FILTER_CUT;
	workload->complete = workload->complete && ending == ITP_FILTER_AT_END &&
			     itp_infer_counts_are_whole(&workload->counts);
}

static void get_context(const void *contexts, uint32_t node, uint32_t *ret_parent,
			uint32_t *ret_function)
{
	const struct itp_context *context = itp_context_tree_get(contexts, node);

	*ret_parent = context->parent;
	*ret_function = context->function;
}

static bool conclude_units(struct unit_state *state, enum itp_filter_ending ending, GError **error)
{
	const struct itp_profile_source source = {
		.profile = state->profile,
		.functions = state->functions,
		.node_count = itp_context_tree_size(state->contexts.tree),
		.get_context = get_context,
		.contexts = state->contexts.tree,
	};

	if (!check_stretches(state, error) ||
	    !itp_within_finish(state->within, state->params->cut, state->profile, error)) {
		return false;
	}
	describe_workload(state, ending);
	state->records = itp_profile_records_new(&source);
	return true;
}

static bool end_within(void *data, enum itp_filter_ending ending, bool *ret_more, GError **error)
{
	struct unit_state *state = data;

	return (state->records || conclude_units(state, ending, error)) &&
	       itp_profile_records_send(state->records, send_record, state->trace, ret_more, error);
}

static const struct itp_filter_ops within_ops = {
	.params = &param_table,
	.params_default = &unit_defaults,
	.params_bytes = sizeof(struct unit_params),
	.check_params = check_params,
	.input = ITP_RECORD_STRETCH,
	.missing_text = MISSING,
	.passed = 1U << ITP_RECORD_NODE | 1U << ITP_RECORD_SEARCH,
	.outputs = ITP_PROFILE_RECORD_TYPES,
	.begin = begin_unit,
	.free = free_unit,
	.handle = handle_within,
	.lose = note_lost_calls,
	.end = end_within,
};

static const struct itp_filter_ops unit_ops = {
	.params = &param_table,
	.params_default = &unit_defaults,
	.params_bytes = sizeof(struct unit_params),
	.check_params = check_params,
	.input = ITP_RECORD_STRETCH,
	.missing_text = MISSING,
	.passed = 1U << ITP_RECORD_NODE | 1U << ITP_RECORD_SEARCH,
	.outputs = 1U << ITP_RECORD_FUNCTION | 1U << ITP_RECORD_CONTEXT |
		   1U << ITP_RECORD_INSTANCE | 1U << ITP_RECORD_WAKER | 1U << ITP_RECORD_WORKLOAD |
		   1U << ITP_RECORD_RUNNING | 1U << ITP_RECORD_SHARE | 1U << ITP_RECORD_STRETCH |
		   1U << ITP_RECORD_UNPLACED | 1U << ITP_RECORD_UNIT |
		   1U << ITP_RECORD_UNIT_LATENCY | 1U << ITP_RECORD_UNIT_SPAN,
	.begin = begin_unit,
	.free = free_unit,
	.handle = pass_on_record,
	.lose = note_lost_calls,
	.end = end_unit,
};

bt_component_class_initialize_method_status itp_unit_filter_init(
	bt_self_component_filter *self, bt_self_component_filter_configuration *configuration,
	const bt_value *params, void *data)
{
	const bool is_within = bt_value_map_has_entry(params, "in");

	(void)configuration;
	return itp_filter_init(self, is_within ? &within_ops : &unit_ops, params, data);
}
