/* SPDX-License-Identifier: MIT */
/*
 * See normalize.h. For each input trace: keeps its functions and its contexts under their
 * ids, sums its instances, and emits the profile at the end, or one at the end of each period.
 * Where filter.introperf.infer tells periods, these are taken, since it also tells what goes on.
 */
#include "filters/normalize/normalize.h"

#include "common/base/error.h"
#include "common/base/hash.h"
#include "messages/failure.h"
#include "messages/filter.h"
#include "messages/id-map.h"
#include "messages/period.h"
#include "messages/profile-records.h"

struct normalize_params {
	struct itp_normalize_options options;
	/* As given; owned by this. */
	char *period;
};

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
	struct itp_period_watch watch;
	/* How many periods were sent, and what was counted until the end of the last. */
	uint64_t periods;
	struct itp_infer_counts told;
	/* tids of the instances of this period, where nobody else tells their number. Owned by
	 * this. */
	GHashTable *tids;
	/* What infer said about the trace has come. */
	bool has_workload;
	/* Messages of the trace are missing, and how many if that is known. */
	bool lost;
	uint64_t lost_events;
};

static const struct itp_param normalize_params[] = {
	{ "estimate", ITP_PARAM_CHOICE, offsetof(struct itp_normalize_options, estimate),
	  itp_estimate_names },
	{ "latencies", ITP_PARAM_BOOL, offsetof(struct itp_normalize_options, latencies), NULL },
};

const struct itp_param_table itp_normalize_param_table = { normalize_params,
							   G_N_ELEMENTS(normalize_params) };

static const struct itp_function *function_of(const void *data, uint32_t node)
{
	const struct normalize_state *state = data;

	return itp_function_table_get(
		state->functions,
		g_array_index(state->contexts, struct itp_context_record, node).function);
}

static uint32_t parent_of(const void *data, uint32_t node)
{
	const struct normalize_state *state = data;

	return g_array_index(state->contexts, struct itp_context_record, node).parent;
}

static const struct itp_param filter_params[] = {
	{ "estimate", ITP_PARAM_CHOICE, offsetof(struct normalize_params, options.estimate),
	  itp_estimate_names },
	{ "latencies", ITP_PARAM_BOOL, offsetof(struct normalize_params, options.latencies), NULL },
	{ "period", ITP_PARAM_STRING, offsetof(struct normalize_params, period), NULL },
};

static const struct itp_param_table filter_table = { filter_params, G_N_ELEMENTS(filter_params) };

static const struct normalize_params filter_defaults = {
	.options = ITP_NORMALIZE_DEFAULTS,
};

static bool check_params(const void *params, GError **error)
{
	struct itp_period period;

	return itp_period_parse(((const struct normalize_params *)params)->period, &period, error);
}

static void *begin_normalize(const void *data, struct itp_filter_trace *trace)
{
	struct normalize_state *state = g_new0(struct normalize_state, 1);
	const struct itp_context_record root = { .id = ITP_CONTEXT_ROOT };
	const struct normalize_params *params = data;
	const struct itp_node_lookup lookup = {
		.function_of = function_of,
		.parent_of = parent_of,
		.data = state,
	};
	struct itp_period period;

	state->trace = trace;
	state->options = &params->options;
	(void)itp_period_parse(params->period, &period, NULL);
	itp_period_watch_init(&state->watch, &period);
	state->tids = g_hash_table_new(itp_hash_number, NULL);
	state->functions = itp_function_table_new();
	state->function_ids = itp_id_map_new("function");
	state->contexts = g_array_new(FALSE, TRUE, sizeof(struct itp_context_record));
	g_array_append_val(state->contexts, root);
	state->profile = itp_profile_new(itp_filter_trace_name(trace));
	state->normalizer = itp_normalizer_new(state->options->estimate, state->profile, &lookup);
	if (state->options->latencies) {
		itp_normalizer_keep_latencies(state->normalizer);
	}
	return state;
}

static void free_normalize(void *data)
{
	struct normalize_state *state = data;

	itp_normalizer_free(state->normalizer);
	itp_profile_free(state->profile);
	itp_profile_records_free(state->records);
	g_hash_table_unref(state->tids);
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
			 bool is_running, GError **error)
{
	int code;

	if (!check_node(state, instance->node, error)) {
		return false;
	}
	code = is_running ? itp_normalizer_push_open(state->normalizer, instance) :
			    itp_normalizer_push(state->normalizer, instance);
	if (state->watch.has_begun) {
		g_hash_table_add(state->tids, GINT_TO_POINTER(instance->tid));
	}
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

/* What is sent of the profile that was summed last. */
static struct itp_profile_records *records_new(struct normalize_state *state, uint64_t period)
{
	const struct itp_profile_source source = {
		.profile = state->profile,
		.functions = state->functions,
		.node_count = state->contexts->len,
		.get_context = get_context,
		.contexts = state->contexts,
		.period = period,
	};

	itp_normalizer_conclude(state->normalizer);
	return itp_profile_records_new(&source);
}

/* Completes what infer, or this, has counted until now to what is to be told of the profile. */
static void describe_workload(struct normalize_state *state, enum itp_filter_ending ending)
{
	struct itp_workload *workload = &state->profile->workload;
	struct itp_infer_counts until_now = workload->counts;
	g_autofree char *given = workload->options;

	workload->options = itp_normalize_options_text(state->options, given);
	workload->counts = itp_infer_counts_since(&until_now, &state->told);
	if (state->periods > 0) {
		workload->counts.begin_ns = state->told.end_ns;
	}
	if (workload->counts.events == 0 && until_now.threads == 0) {
		workload->counts.threads = g_hash_table_size(state->tids);
	}
	workload->counts.losses += state->lost;
	workload->counts.lost_events += state->lost_events;
	workload->counts.cut |= ending == ITP_FILTER_CUT;
	workload->complete = workload->complete && ending == ITP_FILTER_AT_END &&
			     itp_infer_counts_are_whole(&workload->counts);
	state->told = until_now;
}

static void begin_period(struct normalize_state *state)
{
	struct itp_profile *profile = itp_profile_new(itp_filter_trace_name(state->trace));

	itp_normalizer_set_profile(state->normalizer, profile);
	itp_profile_free(state->profile);
	state->profile = profile;
	state->lost = false;
	state->lost_events = 0;
	state->has_workload = false;
	g_hash_table_remove_all(state->tids);
}

/* Sends the profile of a period, whose workload is there, and begins the next one. */
static bool end_period(struct normalize_state *state, GError **error)
{
	struct itp_profile_records *records;
	bool more = true;
	bool done = true;

	describe_workload(state, ITP_FILTER_AT_END);
	records = records_new(state, ++state->periods);
	while (done && more) {
		done = itp_profile_records_send(records, emit, state->trace, &more, error);
	}
	itp_profile_records_free(records);
	begin_period(state);
	return done;
}

/* If a period of this is over, sends its profile. What infer counts, it tells at the end. */
static bool look_at_period(struct normalize_state *state, bool is_event, GError **error)
{
	struct itp_infer_counts *counts = &state->profile->workload.counts;
	int64_t begin_ns = state->watch.begin_ns;
	int64_t end_ns;

	if (!itp_period_watch_pass(&state->watch, itp_filter_time_ns(state->trace), is_event,
				   &end_ns)) {
		return true;
	}
	*counts = (struct itp_infer_counts){ .begin_ns = begin_ns, .end_ns = end_ns };
	state->profile->workload.complete = true;
	return end_period(state, error);
}

static bool take_workload(struct normalize_state *state, const struct itp_workload_record *record,
			  GError **error)
{
	const struct itp_workload description = itp_workload_of_record(record);

	itp_workload_describe(&state->profile->workload, &description);
	state->has_workload = true;
	if (record->period == 0) {
		return true;
	}
	state->watch.period = (struct itp_period){ 0 };
	state->profile->workload.complete = true;
	return end_period(state, error);
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
		return look_at_period(state, true, error) &&
		       add_instance(state, &record->instance.instance, false, error);
	case ITP_RECORD_RUNNING:
		return add_instance(state, &record->instance.instance, true, error);
	case ITP_RECORD_SHARE:
		if (!check_node(state, record->share.node, error)) {
			return false;
		}
		itp_normalizer_push_share(state->normalizer, &record->share);
		return true;
	case ITP_RECORD_WAKER:
		return add_waker(state, &record->waker, error);
	case ITP_RECORD_WORKLOAD:
		return take_workload(state, &record->workload, error);
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

static bool pass(void *data, GError **error)
{
	return look_at_period(data, false, error);
}

static bool end_normalize(void *data, enum itp_filter_ending ending, bool *ret_more, GError **error)
{
	struct normalize_state *state = data;

	if (!state->records) {
		state->profile->workload.complete &= state->has_workload;
		describe_workload(state, ending);
		state->records = records_new(state, state->periods > 0 ? state->periods + 1 : 0);
	}
	return itp_profile_records_send(state->records, emit, state->trace, ret_more, error);
}

static const struct itp_filter_ops normalize_ops = {
	.params = &filter_table,
	.params_default = &filter_defaults,
	.params_bytes = sizeof(struct normalize_params),
	.check_params = check_params,
	.input = ITP_RECORD_INSTANCE,
	.missing_text = "no introperf:instance events in the input; put filter.introperf.infer "
			"before this filter",
	.passed = 1U << ITP_RECORD_NODE,
	.outputs = ITP_PROFILE_RECORD_TYPES,
	.begin = begin_normalize,
	.free = free_normalize,
	.handle = handle_record,
	.lose = lose_events,
	.pass = pass,
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
