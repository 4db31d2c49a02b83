/* SPDX-License-Identifier: MIT */
/*
 * See normalize.h. For each input trace: keeps its functions and its contexts under their
 * ids, sums its instances, and at the end emits the profile.
 */
#include "filters/normalize/normalize.h"

#include "common/error.h"
#include "plugins/babeltrace/failure.h"
#include "plugins/babeltrace/filter.h"
#include "plugins/babeltrace/id-map.h"
#include "plugins/babeltrace/profile-records.h"

struct normalize_state {
	/* Weak. */
	struct itp_filter_trace *trace;
	const struct itp_normalize_options *options;
	/* Owned by this. */
	struct itp_function_table *functions;
	struct itp_id_map *function_ids;
	/* struct itp_context_record with our function ids, by node id. Node 0 is the root. */
	GArray *contexts;
	struct itp_profile *profile;
	struct itp_normalizer *normalizer;
	/* What is sent at the end; NULL until then. Owned by this. */
	struct itp_profile_records *records;
	/* What infer said about the trace has come. */
	bool has_workload;
	/* Messages of the trace are missing, and how many if that is known. */
	bool lost;
	uint64_t lost_events;
};

static const char *const estimate_names[] = {
	[ITP_ESTIMATE_CONSERVATIVE] = "conservative",
	[ITP_ESTIMATE_AGGRESSIVE] = "aggressive",
	[ITP_ESTIMATE_BEST] = "best",
	NULL,
};

static const struct itp_param normalize_params[] = {
	{ "estimate", ITP_PARAM_CHOICE, offsetof(struct itp_normalize_options, estimate),
	  estimate_names },
};

const struct itp_normalize_options itp_normalize_defaults = {
	.estimate = ITP_ESTIMATE_BEST,
};

const struct itp_param_table itp_normalize_param_table = { normalize_params,
							   G_N_ELEMENTS(normalize_params) };

char *itp_normalize_options_text(const struct itp_normalize_options *options, const char *text)
{
	return g_strdup_printf("%s%sestimate=%s", text, text[0] == '\0' ? "" : " ",
			       estimate_names[options->estimate]);
}

static const struct itp_function *function_of(const void *data, uint32_t node)
{
	const struct normalize_state *state = data;

	return itp_function_table_get(
		state->functions,
		g_array_index(state->contexts, struct itp_context_record, node).function);
}

static void *begin_normalize(const void *params, struct itp_filter_trace *trace)
{
	struct normalize_state *state = g_new0(struct normalize_state, 1);
	const struct itp_context_record root = { .id = ITP_CONTEXT_ROOT };

	state->trace = trace;
	state->options = params;
	state->functions = itp_function_table_new();
	state->function_ids = itp_id_map_new("function");
	state->contexts = g_array_new(FALSE, TRUE, sizeof(struct itp_context_record));
	g_array_append_val(state->contexts, root);
	state->profile = itp_profile_new(itp_filter_trace_name(trace));
	state->normalizer =
		itp_normalizer_new(state->options->estimate, state->profile, function_of, state);
	return state;
}

static void free_normalize(void *data)
{
	struct normalize_state *state = data;

	itp_normalizer_free(state->normalizer);
	itp_profile_free(state->profile);
	itp_profile_records_free(state->records);
	g_array_unref(state->contexts);
	itp_id_map_free(state->function_ids);
	itp_function_table_free(state->functions);
	g_free(state);
}

static bool add_context(struct normalize_state *state, const struct itp_context_record *input,
			GError **error)
{
	struct itp_context_record context = *input;

	if (context.id != state->contexts->len || context.parent >= context.id) {
		itp_failure_set(error, "%s: context %u comes out of order",
				itp_filter_trace_name(state->trace), context.id);
		return false;
	}
	if (!itp_id_map_get(state->function_ids, input->function, &context.function, error)) {
		return false;
	}
	g_array_append_val(state->contexts, context);
	return true;
}

static bool check_node(const struct normalize_state *state, uint32_t node, GError **error)
{
	if (node == ITP_CONTEXT_ROOT || node >= state->contexts->len) {
		itp_failure_set(error, "%s: context %u: %s", itp_filter_trace_name(state->trace),
				node, itp_error_text(ITP_ERROR_UNKNOWN_ID));
		return false;
	}
	return true;
}

static bool add_instance(struct normalize_state *state, const struct itp_instance *instance,
			 GError **error)
{
	int code;

	if (!check_node(state, instance->node, error)) {
		return false;
	}
	code = itp_normalizer_push(state->normalizer, instance);
	if (code < 0) {
		itp_failure_set(error, "%s: %s", itp_filter_trace_name(state->trace),
				itp_error_text(code));
		return false;
	}
	return true;
}

static bool add_waker(struct normalize_state *state, const struct itp_waker *input, GError **error)
{
	struct itp_waker waker = *input;

	if (!check_node(state, input->node, error) ||
	    !itp_id_map_get(state->function_ids, input->process, &waker.process, error) ||
	    !itp_id_map_get(state->function_ids, input->function, &waker.function, error)) {
		return false;
	}
	itp_wakers_add(state->profile->wakers, &waker);
	return true;
}

static bool handle_record(void *data, const struct itp_record *record, GError **error)
{
	struct normalize_state *state = data;

	switch (record->type) {
	case ITP_RECORD_FUNCTION:
		itp_id_map_put(
			state->function_ids, record->function.id,
			itp_function_table_intern(state->functions, &record->function.function));
		return true;
	case ITP_RECORD_CONTEXT:
		return add_context(state, &record->context, error);
	case ITP_RECORD_INSTANCE:
		return add_instance(state, &record->instance.instance, error);
	case ITP_RECORD_WAKER:
		return add_waker(state, &record->waker, error);
	case ITP_RECORD_WORKLOAD:
		itp_workload_assign(&state->profile->workload, &record->workload);
		state->has_workload = true;
		return true;
	default:
		return true;
	}
}

/* Instances are missing: the sums are too small, and nothing tells by how much. */
static bool lose_events(void *data, int64_t count, GError **error)
{
	struct normalize_state *state = data;

	(void)error;
	state->lost = true;
	if (count > 0) {
		state->lost_events += (uint64_t)count;
	}
	return true;
}

static void get_context(const void *contexts, uint32_t node, uint32_t *ret_parent,
			uint32_t *ret_function)
{
	const struct itp_context_record *context =
		&g_array_index((const GArray *)contexts, struct itp_context_record, node);

	*ret_parent = context->parent;
	*ret_function = context->function;
}

static bool emit(void *data, enum itp_record_type type, const void *record, GError **error)
{
	return itp_filter_emit(data, type, record, error);
}

static void describe_workload(struct normalize_state *state, enum itp_filter_ending ending)
{
	struct itp_workload *workload = &state->profile->workload;
	g_autofree char *given = workload->options;

	workload->options = itp_normalize_options_text(state->options, given);
	workload->complete = state->has_workload && workload->complete && !state->lost &&
			     ending == ITP_FILTER_AT_END;
	workload->counts.losses += state->lost;
	workload->counts.lost_events += state->lost_events;
	workload->counts.cut |= ending == ITP_FILTER_CUT;
}

static bool end_normalize(void *data, enum itp_filter_ending ending, bool *ret_more, GError **error)
{
	struct normalize_state *state = data;

	if (!state->records) {
		const struct itp_profile_source source = {
			.profile = state->profile,
			.functions = state->functions,
			.node_count = state->contexts->len,
			.get_context = get_context,
			.contexts = state->contexts,
		};

		describe_workload(state, ending);
		state->records = itp_profile_records_new(&source);
	}
	return itp_profile_records_send(state->records, emit, state->trace, ret_more, error);
}

static const struct itp_filter_ops normalize_ops = {
	.params = &itp_normalize_param_table,
	.params_default = &itp_normalize_defaults,
	.params_bytes = sizeof(struct itp_normalize_options),
	.input = ITP_RECORD_INSTANCE,
	.missing_text = "no introperf:instance events in the input; put filter.introperf.infer "
			"before this filter",
	.passed = 1U << ITP_RECORD_NODE,
	.outputs = ITP_PROFILE_RECORD_TYPES,
	.begin = begin_normalize,
	.free = free_normalize,
	.handle = handle_record,
	.lose = lose_events,
	.end = end_normalize,
};

bt_component_class_initialize_method_status itp_normalize_filter_init(
	bt_self_component_filter *self, bt_self_component_filter_configuration *configuration,
	const bt_value *params, void *data)
{
	(void)configuration;
	(void)data;
	return itp_filter_init(self, &normalize_ops, params);
}
