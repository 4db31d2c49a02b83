/* SPDX-License-Identifier: MIT */
/*
 * See wait.h. For each input trace: keeps the doings of its threads by time
 * (common/wait/history.h), looks for symptoms among its calls, or sums these to find some, and
 * tells at the end the stacks behind them.
 */
#include "filters/wait/wait.h"

#include "common/base/failure.h"
#include "common/compare/first-path.h"
#include "common/engine/wait-params.h"
#include "filters/normalize/builder.h"
#include "filters/wait/telling.h"
#include "messages/told-contexts.h"
#include "messages/unplaced.h"

#define MISSING                                                                              \
	"no introperf:stretch events in the input; put filter.introperf.infer right before " \
	"this filter, or give it stretches=yes"

struct wait_state {
	/* Weak. */
	struct itp_filter_trace *trace;
	const struct itp_wait_params *params;
	/* Builder, owned by this. Instances are summed where no symptom is asked for. */
	struct itp_profile_builder *builder;
	struct itp_told_contexts contexts;
	struct itp_history *history;
	struct itp_recall recall;
	/* Symptom asked for, NULL without one. Owned by this. */
	struct itp_symptom_wish wish;
	struct itp_symptoms *symptoms;
	/* Stretches of its threads were told; calls were. */
	bool has_stretches;
	bool has_calls;
	/* The trace's workload has come from infer; or messages of the trace are missing. */
	bool has_workload;
	bool lost;
};

static const struct itp_wait_params wait_defaults = { .scope = ITP_INTEREST_PATH };

static bool check_params(const void *data, GError **error)
{
	const struct itp_wait_params *params = data;
	struct itp_symptom_wish wish = { .name = NULL };
	bool is_good = !params->symptom || itp_symptom_wish_parse(&wish, params->symptom, error);

	itp_symptom_wish_release(&wish);
	return is_good;
}

static void *begin_wait(const void *data, struct itp_filter_trace *trace)
{
	const struct itp_normalize_options options = ITP_NORMALIZE_DEFAULTS;
	struct wait_state *state = g_new0(struct wait_state, 1);

	state->trace = trace;
	state->params = data;
	state->builder = itp_profile_builder_new(itp_filter_trace_name(trace), &options);
	itp_told_contexts_init(&state->contexts, itp_filter_trace_name(trace),
			       state->builder->function_ids);
	state->history = itp_history_new();
	state->recall = (struct itp_recall){ .history = state->history,
					     .tree = state->contexts.tree,
					     .functions = state->builder->functions };
	if (state->params->symptom &&
	    itp_symptom_wish_parse(&state->wish, state->params->symptom, NULL)) {
		state->symptoms = itp_symptoms_new(&state->wish, &state->recall);
	}
	itp_id_map_put(state->builder->function_ids, ITP_FUNCTION_UNKNOWN, ITP_FUNCTION_UNKNOWN);
	return state;
}

static void free_wait(void *data)
{
	struct wait_state *state = data;

	itp_symptoms_free(state->symptoms);
	itp_symptom_wish_release(&state->wish);
	itp_history_free(state->history);
	itp_told_contexts_release(&state->contexts);
	itp_profile_builder_free(state->builder);
	g_free(state);
}

static bool add_context(struct wait_state *state, const struct itp_record *record, GError **error)
{
	return itp_profile_builder_take(state->builder, record, error) &&
	       itp_told_contexts_add(&state->contexts, &record->context, error);
}

static bool keep_stretch(struct wait_state *state, const struct itp_stretch *input, GError **error)
{
	struct itp_stretch stretch;

	if (!itp_told_contexts_map(&state->contexts, input, &stretch, error)) {
		return false;
	}
	itp_history_add(state->history, &stretch);
	if (state->symptoms) {
		itp_symptoms_add_stretch(state->symptoms, &stretch);
	}
	state->has_stretches = true;
	return true;
}

static bool look_at_instance(struct wait_state *state, const struct itp_record *record,
			     GError **error)
{
	const struct itp_instance *instance = &record->instance.instance;

	state->has_calls = true;
	if (!state->symptoms) {
		return itp_profile_builder_take(state->builder, record, error);
	}
	if (!itp_told_contexts_check(&state->contexts, instance->node, error)) {
		return false;
	}
	itp_symptoms_add(state->symptoms, instance);
	return true;
}

static bool add_unplaced(struct wait_state *state, const struct itp_unplaced_record *record,
			 GError **error)
{
	struct itp_instance call;
	uint32_t function;

	if (!itp_unplaced_read(record, state->builder->function_ids, &call, &function, error)) {
		return false;
	}
	if (state->symptoms) {
		itp_symptoms_add_unplaced(state->symptoms, &call, function);
	}
	return true;
}

static void take_workload(struct wait_state *state, const struct itp_workload_record *record)
{
	const struct itp_workload description = itp_workload_of_record(record);

	/* Of periods nothing is told here. */
	if (record->period == 0) {
		itp_workload_describe(&state->builder->profile->workload, &description);
		state->has_workload = true;
	}
}

static bool keep_record(void *data, const struct itp_record *record, GError **error)
{
	struct wait_state *state = data;

	switch (record->type) {
	case ITP_RECORD_CONTEXT:
		return add_context(state, record, error);
	case ITP_RECORD_STRETCH:
		return keep_stretch(state, &record->stretch, error);
	case ITP_RECORD_INSTANCE:
		return look_at_instance(state, record, error);
	case ITP_RECORD_UNPLACED:
		return add_unplaced(state, &record->unplaced, error);
	case ITP_RECORD_WORKLOAD:
		take_workload(state, &record->workload);
		return true;
	case ITP_RECORD_RUNNING:
		/* The instance comes again at its end. */
		return true;
	default:
		return itp_profile_builder_take(state->builder, record, error);
	}
}

/* Doings of a thread meanwhile are unknown. */
static bool note_lost_doings(void *data, int64_t count, GError **error)
{
	(void)count;
	(void)error;
	((struct wait_state *)data)->lost = true;
	return true;
}

static bool check_input(const struct wait_state *state, GError **error)
{
	if (state->has_calls && !state->has_stretches) {
		itp_failure_set(error, "%s: " MISSING, itp_filter_trace_name(state->trace));
		return false;
	}
	return true;
}

static bool end_wait(void *data, enum itp_filter_ending ending, bool *ret_more, GError **error)
{
	struct wait_state *state = data;
	const char *symptom = state->params->symptom;
	guint calls = 0;
	guint left_out = 0;
	/* Instances were summed where no symptom is asked for. */
	const struct itp_profile_source source =
		state->symptoms ? (struct itp_profile_source){ .profile = NULL } :
				  itp_profile_builder_source(state->builder, 0);
	g_autoptr(GArray) symptoms = itp_trace_symptoms(state->symptoms, &source, state->history,
							&calls, &left_out, error);
	const struct itp_wait_telling telling = {
		.trace = state->trace,
		.recall = &state->recall,
		.symptoms = symptoms,
		.scope = state->params->scope,
		.search = { .name = itp_filter_trace_name(state->trace),
			    .symptom = symptom ? symptom : "",
			    .calls = calls,
			    .left_out = left_out,
			    .has_wakeups = itp_history_has_wakeups(state->history),
			    .complete = ending == ITP_FILTER_AT_END && !state->lost &&
					state->has_workload &&
					state->builder->profile->workload.complete },
	};

	*ret_more = false;
	return symptoms && check_input(state, error) && itp_wait_tell(&telling, error);
}

static const struct itp_filter_ops wait_ops = {
	.params = &itp_wait_param_table,
	.params_default = &wait_defaults,
	.params_bytes = sizeof(struct itp_wait_params),
	.check_params = check_params,
	.input = ITP_RECORD_STRETCH,
	.missing_text =
		"no introperf:stretch events in the input; put filter.introperf.infer right "
		"before this filter, or give it stretches=yes",
	.passed = 1U << ITP_RECORD_SEARCH | 1U << ITP_RECORD_NODE,
	.outputs = ITP_INTEREST_RECORD_TYPES,
	.begin = begin_wait,
	.free = free_wait,
	.handle = keep_record,
	.lose = note_lost_doings,
	.end = end_wait,
};

bt_component_class_initialize_method_status itp_wait_filter_init(
	bt_self_component_filter *self, bt_self_component_filter_configuration *configuration,
	const bt_value *params, void *data)
{
	(void)configuration;
	return itp_filter_init(self, &wait_ops, params, data);
}
