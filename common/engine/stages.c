/* SPDX-License-Identifier: MIT */
/*
 * See stages.h.
 */
#include "common/engine/stages.h"

#include "common/base/failure.h"
#include "common/control-flow/answers.h"
#include "common/engine/ranking-params.h"
#include "common/engine/write.h"
#include "common/engine/written-ranking.h"
#include "common/unit/within.h"

static const struct itp_param source_params[] = {
	ITP_SYMBOL_PARAMS(struct itp_reading_params, symbols),
	{ "clock", ITP_PARAM_CHOICE, offsetof(struct itp_reading_params, clock),
	  itp_perf_clock_names },
};

static const struct itp_param infer_params[] = {
	ITP_INFER_PARAMS(struct itp_reading_params, analysis.infer),
};

static const struct itp_param normalize_params[] = {
	ITP_NORMALIZE_PARAMS(struct itp_reading_params, analysis.normalize),
};

static const struct itp_param_table reading_tables[] = {
	[ITP_STAGE_SOURCE] = { source_params, G_N_ELEMENTS(source_params) },
	[ITP_STAGE_INFER] = { infer_params, G_N_ELEMENTS(infer_params) },
	[ITP_STAGE_NORMALIZE] = { normalize_params, G_N_ELEMENTS(normalize_params) },
};

const struct itp_param_table *itp_stage_param_table(enum itp_stage stage)
{
	return stage == ITP_STAGE_RANK ? &itp_rank_param_table : &reading_tables[stage];
}

static bool read_stages(struct itp_reading_params *params, GHashTable *const *values,
			GError **error)
{
	for (size_t i = 0; i < G_N_ELEMENTS(reading_tables); i++) {
		if (!itp_params_read(&reading_tables[i], values[i], params, error)) {
			return false;
		}
	}
	/* Whoever groups by containers has their names from the source. */
	if (params->analysis.infer.group_by == ITP_GROUP_BY_CONTAINER) {
		params->symbols.processes = ITP_PROCESSES_BY_CONTAINER;
	}
	return true;
}

/* The part inside of units of work is known by the likeliest times, and without the rest. */
static bool check_in(const struct itp_analysis_options *options, bool is_by_wait, GError **error)
{
	const char *type;

	if (!options->in) {
		return true;
	}
	if (is_by_wait || options->normalize.estimate != ITP_ESTIMATE_BEST) {
		itp_failure_set(
			error,
			is_by_wait ?
				"parameter \"in\": what waits hold up is not told by units; leave "
				"out parameter \"by\"" :
				"parameter \"in\": units are told by the likeliest times; leave out "
				"parameter \"estimate\"");
		return false;
	}
	return itp_within_parse(options->in, &type, error);
}

bool itp_reading_params_init(struct itp_reading_params *params, GHashTable *const *values,
			     GError **error)
{
	/* A single path is looked at closely. */
	const bool is_close = itp_values_has(values[ITP_STAGE_RANK], "path");
	const bool is_by_wait = itp_rank_is_by_wait(values[ITP_STAGE_RANK]);

	*params =
		(struct itp_reading_params){ .symbols = { .inlines = true },
					     .analysis = { .infer = ITP_INFER_DEFAULTS,
							   .normalize = ITP_NORMALIZE_DEFAULTS,
							   .open_flow = itp_flow_answers_open,
							   .remembers = is_close || is_by_wait } };
	params->analysis.normalize.latencies = is_close;
	params->analysis.finds_units = itp_rank_is_per_unit(values[ITP_STAGE_RANK]);
	params->analysis.in = itp_rank_in(values[ITP_STAGE_RANK]);
	return read_stages(params, values, error) &&
	       check_in(&params->analysis, is_by_wait, error) &&
	       itp_symbol_params_prepare(&params->symbols, error);
}

void itp_reading_params_release(struct itp_reading_params *params)
{
	itp_symbol_params_release(&params->symbols);
	itp_params_release(&reading_tables[ITP_STAGE_SOURCE], params);
}

bool itp_stage_check_output(GHashTable *values, const GPtrArray *inputs, GError **error)
{
	/* A value that is no path is refused by the job. */
	return itp_write_check(itp_values_text(values, "output"), inputs, error);
}
