/* SPDX-License-Identifier: MIT */
/*
 * See live.h.
 */
#include "common/engine/live.h"

#include "common/base/error.h"
#include "common/base/failure.h"
#include "common/engine/missing-names.h"
#include "common/engine/perf-inputs.h"
#include "common/engine/stages.h"
#include "common/engine/written-ranking.h"

/* Time between two looks for more, in microseconds. */
#define WAIT_US 50000

#define STANDARD_STREAM "-"

static bool add_inputs(struct itp_live_base *base, const GPtrArray *names, GError **error)
{
	for (guint i = 0; i < names->len; i++) {
		const char *name = g_ptr_array_index(names, i);

		if (g_str_equal(name, STANDARD_STREAM)) {
			itp_failure_set(error, "parameter \"base\": name a file, not \"-\"");
			return false;
		}
		if (!itp_inputs_add(&base->inputs, name, error)) {
			return false;
		}
	}
	return true;
}

static bool read_recordings(struct itp_live_base *base, const struct itp_recordings_watch *watch,
			    GError **error)
{
	const bool done = itp_recordings_read(base->recordings, watch, error);

	itp_recordings_add_profiles(base->recordings, base->profiles);
	return done;
}

/* With nothing to compare with, every period would look new. */
static bool check_profiles(const struct itp_live_base *base, GError **error)
{
	for (guint i = 0; i < base->profiles->len; i++) {
		const struct itp_profile *profile =
			g_array_index(base->profiles, struct itp_memory_profile, i).source.profile;

		if (itp_profile_is_empty(profile)) {
			itp_failure_set(error, "parameter \"base\": \"%s\" holds no calls",
					profile->workload.name);
			return false;
		}
	}
	return true;
}

/* Tells a damaged file before anything is recorded. */
static bool try_profiles(const struct itp_inputs *inputs, GError **error)
{
	struct itp_workload_set *set = itp_workload_set_new();
	const bool done = itp_inputs_read_profiles(inputs, set, error);

	itp_workload_set_free(set);
	return done;
}

bool itp_live_base_read(struct itp_live_base *base, GHashTable *const *values,
			const struct itp_graphs *graphs, const struct itp_recordings_watch *watch,
			GError **error)
{
	g_autoptr(GPtrArray) names = itp_values_texts(values[ITP_STAGE_RANK], "base");

	*base = (struct itp_live_base){ .recordings = NULL };
	itp_inputs_init(&base->inputs);
	base->profiles = g_array_new(FALSE, FALSE, sizeof(struct itp_memory_profile));
	if (!itp_reading_params_init(&base->params, values, error) ||
	    !add_inputs(base, names, error) || !try_profiles(&base->inputs, error) ||
	    !graphs->try_traces(base->inputs.traces, error)) {
		return false;
	}
	base->recordings = itp_recordings_new(base->inputs.recordings, &base->params, error);
	return base->recordings && read_recordings(base, watch, error) &&
	       check_profiles(base, error);
}

void itp_live_base_release(struct itp_live_base *base)
{
	g_array_unref(base->profiles);
	itp_recordings_free(base->recordings);
	itp_reading_params_release(&base->params);
	itp_inputs_release(&base->inputs);
}

static bool add_base(struct itp_live *live, GError **error)
{
	const struct itp_live_base *base = live->options.base;
	g_autoptr(GPtrArray) traces = live->options.graphs->open_traces(
		base->inputs.traces, live->options.values, live->job, error);

	if (!traces || !itp_inputs_read_profiles(&base->inputs, live->job->workloads, error) ||
	    !live->options.graphs->read_traces(traces, NULL, error)) {
		return false;
	}
	for (guint i = 0; i < base->profiles->len; i++) {
		itp_memory_profile_rank(
			&g_array_index(base->profiles, struct itp_memory_profile, i), live->job);
	}
	return true;
}

static struct itp_perf_input *input_of(const struct itp_live *live)
{
	return g_ptr_array_index(live->inputs.list, 0);
}

/* Waits for perf. */
static bool open_input(struct itp_live *live, GError **error)
{
	const struct itp_reading_params *params = &live->options.base->params;
	struct itp_perf_options options = itp_symbol_params_options(&params->symbols);
	g_autoptr(GPtrArray) paths = g_ptr_array_new();

	options.grows = true;
	g_ptr_array_add(paths, ITP_PERF_STANDARD_INPUT);
	return itp_perf_inputs_init(&live->inputs, paths, &options, params->clock, error);
}

static void add_workload(struct itp_live *live)
{
	const struct itp_perf_session *session = input_of(live)->opened;
	const struct itp_clock clock = itp_perf_input_clock(input_of(live), live->inputs.is_wall);
	g_autofree char *name = itp_perf_input_name(input_of(live));

	live->offset_ns = clock.offset_ns;
	live->analysis =
		itp_analysis_new(name, &live->options.base->params.analysis, session->functions);
	itp_analysis_watch(live->analysis, itp_perf_reader_watched(session->reader));
	live->workload = itp_memory_workload_add(
		live->job, name, name, itp_perf_reader_description(session->reader)->arch, &clock);
}

bool itp_live_init(struct itp_live *live, const struct itp_live_options *options, GError **error)
{
	/* Live events cannot be looked at again. */
	const struct itp_rank_host host = { .next = "",
					    .has_options = true,
					    .screen = options->screen };
	struct itp_period period;

	*live = (struct itp_live){ .options = *options };
	live->job = itp_rank_new(options->values[ITP_STAGE_RANK], &host, error);
	if (!live->job || !itp_period_parse(options->period, &period, error) ||
	    !add_base(live, error) || !open_input(live, error)) {
		return false;
	}
	itp_period_watch_init(&live->watch, &period);
	add_workload(live);
	return true;
}

void itp_live_release(struct itp_live *live)
{
	g_clear_error(&live->refusal);
	itp_analysis_free(live->analysis);
	itp_perf_inputs_release(&live->inputs);
	if (live->job) {
		live->job->free(live->job);
	}
}

/* Shows a period. */
static bool show_period(struct itp_live *live, const struct itp_profile_source *source,
			GError **error)
{
	itp_workload_set_add_source(live->job->workloads, live->workload, source);
	return itp_rank_job_end_period(live->job, live->workload, error);
}

/* To be told of each time before what happened then is taken. Returns 0 or a negative itp_error. */
static int look_at_period(struct itp_live *live, int64_t time_ns, bool is_event)
{
	const int64_t begin_ns = live->watch.begin_ns;
	struct itp_profile_source source;
	int64_t end_ns;
	int code;

	if (!itp_period_watch_pass(&live->watch, time_ns, is_event, &end_ns)) {
		return 0;
	}
	code = itp_analysis_end_period(live->analysis, begin_ns, end_ns, &source);
	(void)show_period(live, &source, &live->refusal);
	itp_analysis_begin_period(live->analysis);
	return code;
}

static bool is_excluded(const struct itp_live *live, int32_t pid)
{
	const int *excluded = live->options.excluded_pids;

	while (*excluded > 0 && *excluded != pid) {
		excluded++;
	}
	return *excluded > 0;
}

/* Returns 0 or a negative itp_error. */
static int take_event(struct itp_live *live, struct itp_stack_event *event)
{
	int code;

	/* Windows come whether anything happens in them or not. */
	live->is_empty &= event->kind == ITP_EVENT_WINDOW;
	live->silence.since_ns = 0;
	event->time_ns += live->offset_ns;
	code = look_at_period(live, event->time_ns, true);
	return code == 0 && !is_excluded(live, event->pid) ?
		       itp_analysis_push(live->analysis, event) :
		       code;
}

/* Waits while there is nothing. Returns 0 or a negative itp_error. */
static int wait_for_more(struct itp_live *live)
{
	int64_t time_ns;
	int code = 0;

	live->job->refresh(live->job);
	if (itp_perf_silence_pass(&live->silence, input_of(live)->opened->reader, &time_ns)) {
		code = look_at_period(live, time_ns + live->offset_ns, false);
	}
	g_usleep(WAIT_US);
	return code;
}

/* To the end of the input, or until a period cannot be shown. Returns 0 or a negative itp_error. */
static int read_events(struct itp_live *live)
{
	const struct itp_perf_input *input = input_of(live);
	struct itp_perf_reader *reader = input->opened->reader;
	struct itp_stack_event event;
	int result = 1;
	int code = 0;

	while (code == 0 && !live->refusal && (result > 0 || result == ITP_ERROR_AGAIN)) {
		result = itp_perf_reader_next(reader, &event);
		if (result > 0) {
			code = take_event(live, &event);
		} else if (result == ITP_ERROR_AGAIN) {
			code = wait_for_more(live);
		}
	}
	itp_missing_names_tell(reader, input, live->options.tell, NULL);
	return code != 0 ? code : MIN(result, 0);
}

/* Shows events behind the last period, and the result of the whole. */
static bool show_rest(struct itp_live *live, enum itp_rank_ending ending, GError **error)
{
	struct itp_profile_source rest;

	if (ending != ITP_RANK_ENDED) {
		itp_analysis_end_early(live->analysis);
	}
	return itp_analysis_finish(live->analysis, &rest, error) &&
	       show_period(live, &rest, error) && itp_rank_job_finish(live->job, ending, error);
}

bool itp_live_run(struct itp_live *live, GError **error)
{
	const struct itp_perf_input *input = input_of(live);
	GError *failure = NULL;
	GError *refusal = NULL;
	int code;

	live->is_empty = true;
	code = read_events(live);
	if (live->refusal) {
		g_propagate_error(error, g_steal_pointer(&live->refusal));
		return false;
	}
	if (code < 0) {
		failure = itp_perf_session_failure(input->opened, input, code);
	} else if (live->is_empty) {
		itp_failure_set(&failure, "nothing was recorded");
	}
	if (failure) {
		(void)show_rest(live, ITP_RANK_FAILED, &refusal);
		g_propagate_error(error, itp_failure_of_part(failure, refusal));
		return false;
	}
	return show_rest(live, ITP_RANK_ENDED, error);
}
