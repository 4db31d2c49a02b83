/* SPDX-License-Identifier: MIT */
/*
 * See normalize.h. For each input trace: has its instances summed (builder.h), and emits the
 * profile at the end, or one at the end of each period. Periods of filter.introperf.infer, if any,
 * are taken, since it also tells open instances.
 */
#include "filters/normalize/normalize.h"

#include "common/base/hash.h"
#include "common/engine/period.h"
#include "common/engine/stages.h"
#include "common/schema/profile-records.h"
#include "filters/normalize/builder.h"
#include "messages/filter.h"

struct normalize_params {
	struct itp_normalize_options options;
	/* Period as given; owned by this. */
	char *period;
};

struct normalize_state {
	/* Weak. */
	struct itp_filter_trace *trace;
	const struct itp_normalize_options *options;
	/* Owned by this. */
	struct itp_profile_builder *builder;
	/* Records sent at the end; NULL until then. Owned by this. */
	struct itp_profile_records *records;
	struct itp_period_watch watch;
	/* How many periods were sent, and what was counted until the end of the last. */
	uint64_t periods;
	struct itp_infer_counts told;
	/* tids of the period's instances, where nobody else tells their number. Owned by this. */
	GHashTable *tids;
	/* The trace's workload has come from infer. */
	bool has_workload;
	/* Messages of the trace are missing, and their number if known. */
	bool lost;
	uint64_t lost_events;
};

static const struct itp_param filter_params[] = {
	ITP_NORMALIZE_PARAMS(struct normalize_params, options),
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
	const struct normalize_params *params = data;
	struct itp_period period;

	state->trace = trace;
	state->options = &params->options;
	(void)itp_period_parse(params->period, &period, NULL);
	itp_period_watch_init(&state->watch, &period);
	state->tids = g_hash_table_new(itp_hash_number, NULL);
	state->builder = itp_profile_builder_new(itp_filter_trace_name(trace), state->options);
	return state;
}

static void free_normalize(void *data)
{
	struct normalize_state *state = data;

	itp_profile_builder_free(state->builder);
	itp_profile_records_free(state->records);
	g_hash_table_unref(state->tids);
	g_free(state);
}

static bool emit(void *data, enum itp_record_type type, const void *record, GError **error)
{
	return itp_filter_emit(data, type, record, error);
}

/* Records of the profile summed last. */
static struct itp_profile_records *records_new(struct normalize_state *state, uint64_t period)
{
	const struct itp_profile_source source = itp_profile_builder_source(state->builder, period);

	return itp_profile_records_new(&source);
}

/* Completes the counts until now, infer's or this filter's, for the profile. */
static void describe_workload(struct normalize_state *state, enum itp_filter_ending ending)
{
	struct itp_workload *workload = &state->builder->profile->workload;
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
	itp_profile_builder_restart(state->builder);
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

/* Sends the profile at the end of a period of this filter. Infer's counts come at the end. */
static bool look_at_period(struct normalize_state *state, bool is_event, GError **error)
{
	struct itp_infer_counts *counts = &state->builder->profile->workload.counts;
	int64_t begin_ns = state->watch.begin_ns;
	int64_t end_ns;

	if (!itp_period_watch_pass(&state->watch, itp_filter_time_ns(state->trace), is_event,
				   &end_ns)) {
		return true;
	}
	*counts = (struct itp_infer_counts){ .begin_ns = begin_ns, .end_ns = end_ns };
	state->builder->profile->workload.complete = true;
	return end_period(state, error);
}

static bool take_workload(struct normalize_state *state, const struct itp_workload_record *record,
			  GError **error)
{
	const struct itp_workload description = itp_workload_of_record(record);

	itp_workload_describe(&state->builder->profile->workload, &description);
	state->has_workload = true;
	if (record->period == 0) {
		return true;
	}
	state->watch.period = (struct itp_period){ 0 };
	state->builder->profile->workload.complete = true;
	return end_period(state, error);
}

/* Notes the thread of a call in the period. */
static void note_thread(struct normalize_state *state, const struct itp_record *record)
{
	if (state->watch.has_begun &&
	    (record->type == ITP_RECORD_INSTANCE || record->type == ITP_RECORD_RUNNING)) {
		g_hash_table_add(state->tids, GINT_TO_POINTER(record->instance.instance.tid));
	}
}

static bool sum_record(void *data, const struct itp_record *record, GError **error)
{
	struct normalize_state *state = data;

	if (record->type == ITP_RECORD_WORKLOAD) {
		return take_workload(state, &record->workload, error);
	}
	if (record->type == ITP_RECORD_INSTANCE && !look_at_period(state, true, error)) {
		return false;
	}
	note_thread(state, record);
	return itp_profile_builder_take(state->builder, record, error);
}

/* Instances are missing: the sums are too small, and nothing tells by how much. */
static bool count_lost_events(void *data, int64_t count, GError **error)
{
	struct normalize_state *state = data;

	(void)error;
	state->lost = true;
	if (count > 0) {
		state->lost_events += (uint64_t)count;
	}
	return true;
}

static bool pass_period(void *data, GError **error)
{
	return look_at_period(data, false, error);
}

static bool end_normalize(void *data, enum itp_filter_ending ending, bool *ret_more, GError **error)
{
	struct normalize_state *state = data;

	if (!state->records) {
		state->builder->profile->workload.complete &= state->has_workload;
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
	.handle = sum_record,
	.lose = count_lost_events,
	.pass = pass_period,
	.end = end_normalize,
};

bt_component_class_initialize_method_status itp_normalize_filter_init(
	bt_self_component_filter *self, bt_self_component_filter_configuration *configuration,
	const bt_value *params, void *data)
{
	(void)configuration;
	return itp_filter_init(self, &normalize_ops, params, data);
}
