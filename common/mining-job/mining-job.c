/* SPDX-License-Identifier: MIT */
/*
 * See mining-job.h. Nothing is mined before all traces have come.
 */
#include "common/mining-job/mining-job.h"

#include <math.h>
#include <string.h>

#include "common/base/duration.h"
#include "common/base/failure.h"
#include "common/engine/write.h"
#include "common/mining-job/stack-files.h"
#include "common/render/mining/mining.h"
#include "common/view/patterns.h"
#include "terminal/terminal.h"

#define MIN_WIDTH 60
#define DEFAULT_TOP 10
#define DEFAULT_CUT 0.35
/* Limits of the search: some minutes, and some gigabytes; and some seconds without a finding, as a
 * step takes some ten nanoseconds. */
#define MAX_STEPS UINT64_C(60000000000)
#define MAX_IDLE_STEPS UINT64_C(500000000)
#define MAX_CANDIDATES 100000

/* ---- The options ---- */

static const char *const format_names[] = {
	[ITP_MINING_TEXT] = "text",
	[ITP_MINING_JSONL] = "jsonl",
	[ITP_MINING_HTML] = "html",
	NULL,
};

static const char *const pattern_names[] = {
	[ITP_PATTERNS_OWN] = "own",
	[ITP_PATTERNS_MAXIMAL] = "maximal",
	NULL,
};

static const char *const similarity_names[] = {
	[ITP_SIMILARITY_INNERMOST] = "innermost",
	[ITP_SIMILARITY_PAPER] = "paper",
	NULL,
};

static const char *const linkage_names[] = {
	[ITP_LINKAGE_AVERAGE] = "average",
	[ITP_LINKAGE_SINGLE] = "single",
	[ITP_LINKAGE_COMPLETE] = "complete",
	NULL,
};

static const char *const order_names[] = {
	[ITP_CLUSTERS_BY_TOTAL] = "total",
	[ITP_CLUSTERS_BY_TRACES] = "traces",
	[ITP_CLUSTERS_BY_EVENTS] = "events",
	[ITP_CLUSTERS_BY_AVERAGE] = "average",
	NULL,
};

#define PARAM(name, type, member, choices)                                   \
	{                                                                    \
		name, type, offsetof(struct itp_mining_job, member), choices \
	}

static const struct itp_param mining_params[] = {
	PARAM("base", ITP_PARAM_STRINGS, base, NULL),
	PARAM("output", ITP_PARAM_STRING, output, NULL),
	PARAM("top", ITP_PARAM_COUNT, top, NULL),
	PARAM("min-cost", ITP_PARAM_STRING, min_cost, NULL),
	PARAM("patterns", ITP_PARAM_CHOICE, options.patterns.choice, pattern_names),
	PARAM("focus", ITP_PARAM_STRINGS, focus, NULL),
	PARAM("ignore", ITP_PARAM_STRINGS, ignore, NULL),
	PARAM("order", ITP_PARAM_CHOICE, options.clusters.order, order_names),
	PARAM("similarity", ITP_PARAM_CHOICE, options.clusters.similarity, similarity_names),
	PARAM("linkage", ITP_PARAM_CHOICE, options.clusters.linkage, linkage_names),
	PARAM("cut", ITP_PARAM_REAL, options.clusters.cut, NULL),
	PARAM("format", ITP_PARAM_CHOICE, format, format_names),
	PARAM("signatures", ITP_PARAM_STRING, signatures, NULL),
	PARAM("stacks", ITP_PARAM_STRINGS, stacks, NULL),
	PARAM("save-signatures", ITP_PARAM_STRING, save_signatures, NULL),
};

const struct itp_param_table itp_mining_param_table = { mining_params,
							G_N_ELEMENTS(mining_params) };

/* "1%" or "30s". */
static bool parse_min_cost(struct itp_mining_job *job, GError **error)
{
	const char *text = job->min_cost;
	char *end = NULL;
	double number = text ? g_ascii_strtod(text, &end) : 0;
	double ns;

	if (!text) {
		return true;
	}
	if (end != text && strcmp(end, "%") == 0 && number > 0 && number <= 100) {
		job->options.least_part = number / 100;
		return true;
	}
	if (!itp_duration_parse(text, &ns) || ns < 1 || ns > 1e18) {
		itp_failure_set(error,
				"parameter \"min-cost\": \"%s\" is not a time or a share, such as "
				"30s or 1%%",
				text);
		return false;
	}
	job->options.patterns.least_ns = llround(ns);
	return true;
}

static bool check_cut(const struct itp_mining_job *job, GError **error)
{
	if (!(job->options.clusters.cut >= 0 && job->options.clusters.cut <= 1)) {
		itp_failure_set(error, "parameter \"cut\": \"%g\" is not between 0 and 1",
				job->options.clusters.cut);
		return false;
	}
	return true;
}

static bool read_signatures(struct itp_mining_job *job, GError **error)
{
	if (!job->signatures) {
		return true;
	}
	job->known = itp_signatures_load(job->signatures, error);
	if (!job->known) {
		g_prefix_error(error, "parameter \"signatures\": ");
	}
	return job->known;
}

/* Sets defaults, then reads `values`, and the signatures. */
static bool read_options(struct itp_mining_job *job, GHashTable *values, GError **error)
{
	job->top = DEFAULT_TOP;
	job->options = (struct itp_mining_options){
		.patterns = { .max_steps = MAX_STEPS,
			      .max_idle_steps = MAX_IDLE_STEPS,
			      .max_candidates = MAX_CANDIDATES },
		.clusters = { .linkage = ITP_LINKAGE_AVERAGE, .cut = DEFAULT_CUT },
	};
	return itp_params_read(&itp_mining_param_table, values, job, error) &&
	       parse_min_cost(job, error) && check_cut(job, error) && read_signatures(job, error);
}

/* Fails where an output cannot be written, or would harm an input. Of several files of stacks, the
 * first is written. */
static bool check_outputs(const struct itp_mining_job *job, const GPtrArray *inputs, GError **error)
{
	const char *const outputs[] = {
		job->output,
		job->save_signatures,
		job->stacks ? g_ptr_array_index(job->stacks, 0) : NULL,
	};
	bool is_good = true;

	for (size_t i = 0; is_good && i < G_N_ELEMENTS(outputs); i++) {
		is_good = !outputs[i] || itp_write_check(outputs[i], inputs, error);
	}
	return is_good;
}

/* Stacks are counted where the paper's similarity or a file asks for it. */
static bool begin_stacks(struct itp_mining_job *job, GError **error)
{
	if (job->stacks || job->options.clusters.similarity == ITP_SIMILARITY_PAPER) {
		job->mining.stacks = itp_stack_base_new();
	}
	return !job->stacks || itp_stack_files_read(job->mining.stacks, job->stacks, error);
}

bool itp_mining_job_init(struct itp_mining_job *job, GHashTable *values, const GPtrArray *inputs,
			 GError **error)
{
	*job = (struct itp_mining_job){ .base = NULL };
	itp_mining_init(&job->mining);
	return read_options(job, values, error) && check_outputs(job, inputs, error) &&
	       begin_stacks(job, error);
}

void itp_mining_job_release(struct itp_mining_job *job)
{
	g_clear_pointer(&job->known, g_array_unref);
	if (job->each) {
		g_string_free(job->each, TRUE);
	}
	itp_mining_release(&job->mining);
	itp_params_release(&itp_mining_param_table, job);
}

/* ---- The result ---- */

static bool *layers_with_frames(const struct itp_function_table *functions)
{
	uint32_t size = itp_function_table_size(functions);
	bool *is_frame = g_new0(bool, size);

	for (uint32_t id = 0; id < size; id++) {
		is_frame[id] = itp_function_table_get(functions, id)->layer != ITP_LAYER_PROCESS;
	}
	return is_frame;
}

/* By function: whether a pattern of the parameter chooses it. NULL without patterns, and on an
 * error. To be freed. */
static bool *select_functions(const struct itp_mining *mining, const char *parameter,
			      const GPtrArray *texts, GError **error)
{
	g_autofree bool *is_frame = layers_with_frames(mining->functions);
	struct itp_patterns *patterns = texts ? itp_patterns_new(parameter, texts, error) : NULL;
	bool *selected = NULL;

	if (patterns) {
		selected = g_new0(bool, itp_function_table_size(mining->functions));
		if (!itp_patterns_select(patterns, mining->functions, is_frame, selected, error)) {
			g_clear_pointer(&selected, g_free);
		}
	}
	itp_patterns_free(patterns);
	return selected;
}

static bool select_stacks(struct itp_mining_job *job, GError **error)
{
	GError *reason = NULL;
	g_autofree bool *focus = select_functions(&job->mining, "focus", job->focus, &reason);
	g_autofree bool *ignore =
		reason ? NULL : select_functions(&job->mining, "ignore", job->ignore, &reason);

	if (reason) {
		g_propagate_error(error, reason);
		return false;
	}
	itp_mining_select(&job->mining, focus, ignore);
	return true;
}

static bool check_symptoms(const struct itp_mining_job *job, GError **error)
{
	const GArray *traces = job->mining.traces;
	const struct itp_mined_trace sum = itp_mining_sum(traces);
	const char *symptom = job->symptom;

	if (traces->len == 0) {
		itp_failure_set(error, "none of the recordings could be read");
		return false;
	}
	symptom = symptom ? symptom : g_array_index(traces, struct itp_mined_trace, 0).symptom;
	symptom = symptom ? symptom : "call";
	if (sum.symptoms == 0 && sum.calls == 0) {
		itp_failure_set(error,
				"parameter \"symptom\": there is no %s in any of the recordings",
				symptom);
	} else if (sum.symptoms == 0) {
		itp_failure_set(error,
				"parameter \"symptom\": none of %" G_GUINT64_FORMAT
				" was slower than \"%s\" says",
				sum.calls, symptom);
	}
	return sum.symptoms > 0;
}

static void render_result(const struct itp_mining_job *job, const struct itp_mined *mined,
			  const GArray *matches, GString *text)
{
	const struct itp_terminal terminal = itp_terminal_of_output(!job->output, ITP_COLOR_NEVER);
	const struct itp_mining_page page = {
		.mining = &job->mining,
		.mined = mined,
		.signatures = job->known,
		.matches = matches,
		.each = job->each,
		.asked = job->symptom,
		.broken = job->broken,
		.top = (guint)MIN(job->top, G_MAXUINT),
		.width = MAX(terminal.columns, MIN_WIDTH),
	};

	switch (job->format) {
	case ITP_MINING_TEXT:
		itp_render_mining_text(&page, text);
		break;
	case ITP_MINING_JSONL:
		itp_render_mining_jsonl(&page, text);
		break;
	case ITP_MINING_HTML:
		itp_render_mining_html(&page, text);
		break;
	}
}

static bool save_signatures(const struct itp_mining_job *job, const struct itp_mined *mined,
			    GError **error)
{
	g_autoptr(GString) text = g_string_new(NULL);
	g_autofree char *dumped = NULL;

	if (!job->save_signatures) {
		return true;
	}
	dumped = itp_signatures_text(&job->mining, mined, (guint)MIN(job->top, G_MAXUINT),
				     job->known);
	g_string_append_printf(text, "%s\n", dumped);
	return itp_write(job->save_signatures, text, error);
}

/* Matches of signatures; NULL without any. */
static GArray *match_known(struct itp_mining_job *job)
{
	return job->known ? itp_signatures_match(job->known, &job->mining,
						 itp_mining_limit(&job->mining, &job->options)) :
			    NULL;
}

/* Weights of functions: by the paper, from counts, also of older traces. */
static struct itp_stack_statistics *statistics_of(const struct itp_mining_job *job)
{
	struct itp_stack_statistics *statistics = itp_mining_statistics(&job->mining);

	if (job->options.clusters.similarity == ITP_SIMILARITY_PAPER) {
		itp_stack_statistics_count(statistics, job->mining.stacks);
	}
	return statistics;
}

static bool grow_stacks(const struct itp_mining_job *job, GError **error)
{
	return !job->stacks ||
	       itp_stack_files_grow(job->mining.stacks, g_ptr_array_index(job->stacks, 0), error);
}

/* Mines, finds and writes. */
static bool write_result(struct itp_mining_job *job, GError **error)
{
	g_autoptr(GString) text = g_string_new(NULL);
	g_autoptr(GArray) matches = match_known(job);
	struct itp_stack_statistics *statistics = statistics_of(job);
	struct itp_mined mined[ITP_MINE_KINDS];
	bool done;

	for (int kind = 0; kind < ITP_MINE_KINDS; kind++) {
		itp_mined_init(&mined[kind], &job->mining, (enum itp_mine_kind)kind, statistics,
			       &job->options);
	}
	render_result(job, mined, matches, text);
	done = grow_stacks(job, error) && save_signatures(job, mined, error) &&
	       itp_write(job->output, text, error);
	for (int kind = 0; kind < ITP_MINE_KINDS; kind++) {
		itp_mined_release(&mined[kind]);
	}
	itp_stack_statistics_free(statistics);
	return done;
}

bool itp_mining_job_finish(struct itp_mining_job *job, GError **error)
{
	itp_mining_close(&job->mining);
	return check_symptoms(job, error) && select_stacks(job, error) && write_result(job, error);
}
