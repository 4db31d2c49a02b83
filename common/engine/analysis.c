/* SPDX-License-Identifier: MIT */
/*
 * See analysis.h.
 */
#include "common/engine/analysis.h"

#include <string.h>

#include "common/base/context-function.h"
#include "common/base/error.h"
#include "common/base/failure.h"
#include "common/infer/kept.h"
#include "common/infer/normalize.h"
#include "common/unit/asked.h"
#include "common/unit/log.h"
#include "common/unit/summary.h"
#include "common/unit/within.h"
#include "common/wait/chain.h"

/* Least length of units kept. */
#define ALL_UNITS -1
#define NO_UNITS INT64_MAX

struct itp_analysis {
	struct itp_analysis_options options;
	/* Weak, both of them. */
	struct itp_function_table *functions;
	struct itp_context_tree *tree;
	/* All owned by this; NULL once they are of no more use. */
	struct itp_context_tree *own_tree;
	/* struct itp_frame: stack of machine code. */
	GArray *frames;
	struct itp_flow flow;
	struct itp_infer *infer;
	struct itp_asked *asked;
	struct itp_profile *profile;
	struct itp_normalizer *normalizer;
	/* History, where it remembers; owned by this. */
	struct itp_history *history;
	struct itp_recall recall;
	/* Of the wish, or NULL. Owned by this. */
	struct itp_symptoms *symptoms;
	/* Log of units, else NULL. Owned by this. */
	struct itp_unit_log *units;
	/* Follower of requests, else NULL. Owned by this. */
	struct itp_through *through;
	/* guint: by type, its number in the profile's units. Owned by this. */
	GArray *unit_numbers;
	/* Sums inside of units alone, else NULL. Owned by this. */
	struct itp_within *within;
	/* Error while the core called back. */
	int failure;
	bool ends_early;
	/* Some units were left out. */
	bool is_reduced;
	/* How many periods were ended, and what was counted until the end of the last. */
	uint64_t periods;
	struct itp_infer_counts told;
};

static void note(struct itp_analysis *analysis, int error)
{
	if (analysis->failure == 0) {
		analysis->failure = error;
	}
}

static void on_instance(const struct itp_instance *instance, void *data)
{
	struct itp_analysis *analysis = data;

	itp_asked_add(analysis->asked, instance);
	if (analysis->within) {
		itp_within_add(analysis->within, instance);
	} else {
		note(analysis, itp_normalizer_push(analysis->normalizer, instance));
	}
	if (analysis->symptoms) {
		itp_symptoms_add(analysis->symptoms, instance);
	}
	if (analysis->units) {
		itp_unit_log_add(analysis->units, instance);
	}
}

static void on_stretch(const struct itp_stretch *stretch, void *data)
{
	const struct itp_analysis *analysis = data;

	if (analysis->history) {
		itp_history_add(analysis->history, stretch);
	}
	if (analysis->units) {
		itp_unit_log_add_stretch(analysis->units, stretch);
	}
	if (analysis->within) {
		itp_within_add_stretch(analysis->within, stretch);
	}
	if (analysis->symptoms) {
		itp_symptoms_add_stretch(analysis->symptoms, stretch);
	}
}

static void on_unplaced(const struct itp_instance *call, uint32_t function, void *data)
{
	const struct itp_analysis *analysis = data;

	itp_asked_add_unplaced(analysis->asked, call, function);
	if (analysis->units) {
		itp_unit_log_add_unplaced(analysis->units, call, function);
	}
	if (analysis->within) {
		itp_within_add_unplaced(analysis->within, call, function);
	}
	if (analysis->symptoms) {
		itp_symptoms_add_unplaced(analysis->symptoms, call, function);
	}
}

/* Goes on at the end of a period. */
static void on_running(const struct itp_instance *instance, void *data)
{
	struct itp_analysis *analysis = data;

	note(analysis, itp_normalizer_push_open(analysis->normalizer, instance));
}

static const struct itp_function *function_of(const void *data, uint32_t node)
{
	const struct itp_analysis *analysis = data;

	return itp_context_function(analysis->tree, analysis->functions, node);
}

static uint32_t parent_of(const void *data, uint32_t node)
{
	const struct itp_analysis *analysis = data;

	return itp_context_tree_get(analysis->tree, node)->parent;
}

static void on_share(const struct itp_share *share, void *data)
{
	const struct itp_analysis *analysis = data;

	itp_normalizer_push_share(analysis->normalizer, share);
}

struct itp_analysis *itp_analysis_new(const char *name, const struct itp_analysis_options *options,
				      struct itp_function_table *functions)
{
	struct itp_analysis *analysis = g_new0(struct itp_analysis, 1);
	struct itp_infer_options infer = options->infer;
	const struct itp_node_lookup lookup = {
		.function_of = function_of,
		.parent_of = parent_of,
		.data = analysis,
	};

	analysis->options = *options;
	analysis->functions = functions;
	analysis->own_tree = options->tree ? NULL : itp_context_tree_new();
	analysis->tree = options->tree ? options->tree : analysis->own_tree;
	analysis->frames = g_array_new(FALSE, FALSE, sizeof(struct itp_frame));
	if (options->open_flow) {
		analysis->flow = options->open_flow(functions);
		infer.flow = analysis->flow;
	}
	/* Doings of threads by time are those of all calls. */
	if ((options->remembers || options->follows) && !options->in) {
		analysis->history = itp_history_new();
	}
	if (analysis->history || options->wish || options->finds_units || options->in) {
		infer.on_stretch = on_stretch;
	}
	infer.on_unplaced = on_unplaced;
	analysis->recall = (struct itp_recall){ .history = analysis->history,
						.tree = analysis->tree,
						.functions = functions };
	if (options->wish) {
		analysis->symptoms = itp_symptoms_new(options->wish, &analysis->recall);
	}
	if (options->in) {
		analysis->within = itp_within_new(analysis->tree, functions, options->in,
						  options->normalize.latencies);
	} else if (options->finds_units) {
		analysis->units = itp_unit_log_new(analysis->tree, functions,
						   analysis->history ? ALL_UNITS : NO_UNITS);
		analysis->unit_numbers = g_array_new(FALSE, FALSE, sizeof(guint));
		if (options->keeps_unit_profiles) {
			itp_unit_log_keep_profiles(analysis->units);
		}
	}
	if (options->follows && analysis->history) {
		analysis->through = itp_through_new(functions);
	}
	analysis->asked = itp_asked_new(analysis->tree, functions);
	analysis->infer = itp_infer_new(&infer, functions, analysis->tree, on_instance, analysis);
	itp_asked_set_infer(analysis->asked, analysis->infer);
	analysis->profile = itp_profile_new(name);
	analysis->normalizer =
		itp_normalizer_new(options->normalize.estimate, analysis->profile, &lookup);
	if (options->normalize.latencies) {
		itp_normalizer_keep_latencies(analysis->normalizer);
	}
	return analysis;
}

/* Frees data that nobody needs behind the last event. */
static void forget_events(struct itp_analysis *analysis)
{
	g_clear_pointer(&analysis->infer, itp_infer_free);
	g_clear_pointer(&analysis->asked, itp_asked_free);
	g_clear_pointer(&analysis->within, itp_within_free);
	g_clear_pointer(&analysis->normalizer, itp_normalizer_free);
	if (analysis->flow.close) {
		analysis->flow.close(analysis->flow.data);
		analysis->flow.close = NULL;
	}
}

void itp_analysis_forget(struct itp_analysis *analysis)
{
	g_clear_pointer(&analysis->profile, itp_profile_free);
	if (!analysis->history && !analysis->units && analysis->own_tree) {
		g_clear_pointer(&analysis->own_tree, itp_context_tree_free);
		analysis->tree = NULL;
	}
}

void itp_analysis_watch(struct itp_analysis *analysis, uint32_t watched)
{
	itp_infer_watch(analysis->infer, watched);
}

void itp_analysis_free(struct itp_analysis *analysis)
{
	if (!analysis) {
		return;
	}
	forget_events(analysis);
	g_clear_pointer(&analysis->through, itp_through_free);
	g_clear_pointer(&analysis->history, itp_history_free);
	g_clear_pointer(&analysis->symptoms, itp_symptoms_free);
	g_clear_pointer(&analysis->units, itp_unit_log_free);
	g_clear_pointer(&analysis->unit_numbers, g_array_unref);
	g_array_unref(analysis->frames);
	itp_analysis_forget(analysis);
	g_free(analysis);
}

struct itp_profile *itp_analysis_take_profile(struct itp_analysis *analysis)
{
	return g_steal_pointer(&analysis->profile);
}

struct itp_symptoms *itp_analysis_symptoms(const struct itp_analysis *analysis)
{
	return analysis->symptoms;
}

const struct itp_unit_log *itp_analysis_units(const struct itp_analysis *analysis)
{
	return analysis->units;
}

static double rests_part_of(const struct itp_infer_counts *counts)
{
	const double rests_ns = (double)counts->rests_ns;

	return rests_ns > 0 ? rests_ns / (rests_ns + (double)counts->windows_ns) : 0;
}

double itp_analysis_rests_part(const struct itp_analysis *analysis)
{
	return rests_part_of(&analysis->profile->workload.counts);
}

const struct itp_through *itp_analysis_through(const struct itp_analysis *analysis)
{
	return analysis->through;
}

/* Frames are valid until the next call. */
static struct itp_stack_event of_machine_code(struct itp_analysis *analysis,
					      const struct itp_stack_event *event)
{
	struct itp_stack_event bare = *event;

	g_array_set_size(analysis->frames, 0);
	for (size_t i = 0; i < event->frame_count; i++) {
		const struct itp_function *function =
			itp_function_table_get(analysis->functions, event->frames[i].function);

		if (strcmp(function->module, ITP_PYTHON_MODULE) != 0) {
			g_array_append_val(analysis->frames, event->frames[i]);
		}
	}
	bare.frames = (const struct itp_frame *)(const void *)analysis->frames->data;
	bare.frame_count = analysis->frames->len;
	return bare;
}

static void note_watch(const struct itp_analysis *analysis, const struct itp_stack_event *event)
{
	const bool is_watched = event->argument > 0;

	if (analysis->units) {
		itp_unit_log_watch(analysis->units, is_watched, event->time_ns);
	}
	if (analysis->within) {
		itp_within_watch(analysis->within, is_watched, event->time_ns);
	}
}

int itp_analysis_push(struct itp_analysis *analysis, const struct itp_stack_event *event)
{
	struct itp_stack_event bare;
	int error;

	if (analysis->options.is_of_machine_code) {
		bare = of_machine_code(analysis, event);
		event = &bare;
	}
	if (event->kind == ITP_EVENT_WINDOW) {
		note_watch(analysis, event);
	}
	error = itp_infer_push(analysis->infer, event);
	if (error == 0 && analysis->through) {
		itp_through_add(analysis->through, event);
	}
	return error != 0 ? error : analysis->failure;
}

void itp_analysis_end_early(struct itp_analysis *analysis)
{
	analysis->ends_early = true;
}

static void get_context(const void *contexts, uint32_t node, uint32_t *ret_parent,
			uint32_t *ret_function)
{
	const struct itp_context *context = itp_context_tree_get(contexts, node);

	*ret_parent = context->parent;
	*ret_function = context->function;
}

/* Describes the counts since the previous period. */
static void describe_workload(struct itp_analysis *analysis, const struct itp_infer_counts *counts)
{
	struct itp_workload *workload = &analysis->profile->workload;
	const bool losses_untold = analysis->options.losses_untold;
	const struct itp_analysis_options *options = &analysis->options;
	g_autofree char *inferred = itp_infer_options_text(&options->infer);
	g_autofree char *normalized =
		options->in ? itp_within_options_text(options->in, inferred) :
			      itp_normalize_options_text(&options->normalize, inferred);

	g_free(workload->options);
	workload->options = g_strconcat(normalized, losses_untold ? " losses=untold" : "", NULL);
	workload->counts = itp_infer_counts_since(counts, &analysis->told);
	if (analysis->periods > 0) {
		workload->counts.begin_ns = analysis->told.end_ns;
	}
	if (options->in) {
		itp_within_describe(workload);
	}
	workload->complete = !losses_untold && !analysis->ends_early && !analysis->is_reduced &&
			     itp_infer_counts_are_whole(&workload->counts);
	workload->recall = analysis->history ? &analysis->recall : NULL;
	analysis->told = *counts;
}

static struct itp_profile_source source_of(const struct itp_analysis *analysis, uint64_t period)
{
	return (struct itp_profile_source){
		.profile = analysis->profile,
		.functions = analysis->functions,
		.node_count = itp_context_tree_size(analysis->tree),
		.get_context = get_context,
		.contexts = analysis->tree,
		.period = period,
	};
}

int itp_analysis_end_period(struct itp_analysis *analysis, int64_t begin_ns, int64_t end_ns,
			    struct itp_profile_source *ret_source)
{
	struct itp_infer_counts counts;

	itp_infer_show_open(analysis->infer, end_ns, on_running, analysis);
	itp_infer_tell_shares(analysis->infer, on_share, analysis);
	counts = itp_infer_counts_until(analysis->infer, begin_ns, end_ns);
	itp_normalizer_conclude(analysis->normalizer);
	describe_workload(analysis, &counts);
	itp_profile_keep_watched(analysis->profile, parent_of, analysis);
	*ret_source = source_of(analysis, ++analysis->periods);
	return analysis->failure;
}

void itp_analysis_begin_period(struct itp_analysis *analysis)
{
	struct itp_profile *next = itp_profile_new(analysis->profile->workload.name);

	itp_normalizer_set_profile(analysis->normalizer, next);
	itp_profile_free(analysis->profile);
	analysis->profile = next;
}

static bool has_units(const struct itp_analysis *analysis)
{
	return itp_unit_outlives_rests(rests_part_of(itp_infer_counts(analysis->infer)));
}

/* Concludes the profile of everything inferred. */
static void conclude(struct itp_analysis *analysis)
{
	if (analysis->units && has_units(analysis)) {
		itp_unit_log_finish(analysis->units, ITP_UNIT_CUT);
		itp_unit_types_sum(itp_unit_log_types(analysis->units), analysis->functions,
				   ITP_UNIT_CUT, analysis->profile->units, analysis->unit_numbers);
		analysis->recall.units = analysis->units;
		analysis->recall.unit_numbers = analysis->unit_numbers;
	}
	if (analysis->through) {
		itp_through_finish(analysis->through, &analysis->recall);
	}
	itp_infer_tell_shares(analysis->infer, on_share, analysis);
	itp_normalizer_conclude(analysis->normalizer);
	itp_wakers_merge(analysis->profile->wakers, itp_infer_wakers(analysis->infer));
}

/* Concludes the profile of units alone. */
static bool conclude_within(struct itp_analysis *analysis, GError **error)
{
	bool done;

	if (!has_units(analysis)) {
		itp_failure_set(error, ITP_ANALYSIS_NO_UNITS, analysis->profile->workload.name);
		return false;
	}
	analysis->profile->workload.complete = true;
	done = itp_within_finish(analysis->within, ITP_UNIT_CUT, analysis->profile, error);
	analysis->is_reduced = !analysis->profile->workload.complete;
	return done;
}

bool itp_analysis_finish(struct itp_analysis *analysis, struct itp_profile_source *ret_source,
			 GError **error)
{
	bool done = true;

	itp_infer_finish(analysis->infer);
	if (analysis->within) {
		done = conclude_within(analysis, error);
	} else {
		conclude(analysis);
	}
	describe_workload(analysis, itp_infer_counts(analysis->infer));
	itp_profile_keep_watched(analysis->profile, parent_of, analysis);
	forget_events(analysis);
	if (done) {
		*ret_source =
			source_of(analysis, analysis->periods > 0 ? analysis->periods + 1 : 0);
	}
	if (done && analysis->failure != 0) {
		itp_failure_set(error, "%s", itp_error_text(analysis->failure));
	}
	return done && analysis->failure == 0;
}
