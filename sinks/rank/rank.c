/* SPDX-License-Identifier: MIT */
/*
 * See rank.h. The result is written before it is judged by `fail-above`.
 */
#include "sinks/rank/rank.h"

#include <string.h>

#include "common/base/failure.h"
#include "common/base/labels.h"
#include "common/engine/limit.h"
#include "common/engine/write.h"
#include "common/render/formats/formats.h"
#include "common/render/workload.h"
#include "messages/param-maps.h"
#include "sinks/profiles/component.h"
#include "terminal/terminal.h"

/* Tab as typed by a user. */
#define TAB "\\t"
#define DEFAULT_TOP 10
#define TOP_UNSAID UINT64_MAX
#define MIN_WIDTH 60
#define DEFAULT_NEXT "--params='path=1'"

/* Period as shown. */
struct shown {
	struct itp_sides sides;
	/* Ranking; NULL without one, and then the reason. Owned by this. */
	struct itp_ranking *ranking;
	GError *reason;
	struct itp_render_options looks;
};

struct rank {
	struct itp_rank_sink sink;
	/* Parameters. Strings are owned by this. */
	enum itp_format format;
	enum itp_color color;
	uint64_t path;
	enum itp_metric metric;
	enum itp_method method;
	enum itp_rank_by by;
	bool fold;
	double percent_limit;
	bool explain;
	bool verbose;
	bool quiet;
	/* The user has said how many. */
	bool has_top;
	char *separator;
	GPtrArray *fail_above;

	/* How users ask for the calls of path 1. Owned by this. */
	char *next;
	/* Users type options. */
	bool has_options;
	/* struct itp_limit, of fail_above. Owned by this. */
	GArray *limits;
	/* How many periods had a result of their own. */
	uint64_t shown_periods;
	/* Of the host, or NULL where the result is no text for a terminal. Weak. */
	struct itp_screen *screen;
	bool *ret_is_above;
	bool (*show)(const struct itp_ranking *ranking, const struct itp_render_options *looks,
		     void *data, GError **error);
	void *show_data;
	char *(*tell_more)(const struct itp_ranking *ranking,
			   const struct itp_render_options *looks, void *data);
	void *tell_data;
	struct shown shown;
};

static const char *const format_names[] = {
	[ITP_FORMAT_TEXT] = "text",
	[ITP_FORMAT_CSV] = "csv",
	[ITP_FORMAT_JSONL] = "jsonl",
	[ITP_FORMAT_TREE] = "tree",
	[ITP_FORMAT_JSON] = "json",
	[ITP_FORMAT_MARKDOWN] = "markdown",
	NULL,
};

static const struct itp_param rank_params[] = {
	{ "format", ITP_PARAM_CHOICE, offsetof(struct rank, format), format_names },
	{ "color", ITP_PARAM_CHOICE, offsetof(struct rank, color), itp_color_names },
	{ "path", ITP_PARAM_COUNT, offsetof(struct rank, path), NULL },
	{ "metric", ITP_PARAM_CHOICE, offsetof(struct rank, metric), itp_metric_names },
	{ "method", ITP_PARAM_CHOICE, offsetof(struct rank, method), itp_method_names },
	{ "by", ITP_PARAM_CHOICE, offsetof(struct rank, by), itp_rank_by_names },
	{ "fold", ITP_PARAM_BOOL, offsetof(struct rank, fold), NULL },
	{ "percent-limit", ITP_PARAM_REAL, offsetof(struct rank, percent_limit), NULL },
	{ "explain", ITP_PARAM_BOOL, offsetof(struct rank, explain), NULL },
	{ "verbose", ITP_PARAM_BOOL, offsetof(struct rank, verbose), NULL },
	{ "quiet", ITP_PARAM_BOOL, offsetof(struct rank, quiet), NULL },
	{ "separator", ITP_PARAM_STRING, offsetof(struct rank, separator), NULL },
	{ "fail-above", ITP_PARAM_STRINGS, offsetof(struct rank, fail_above), NULL },
	ITP_RANK_JOB_PARAMS(struct rank, sink.job),
};

const struct itp_param_table itp_rank_param_table = { rank_params, G_N_ELEMENTS(rank_params) };

static void clear_shown(struct shown *shown)
{
	itp_ranking_free(shown->ranking);
	itp_sides_release(&shown->sides);
	g_clear_error(&shown->reason);
	*shown = (struct shown){ .ranking = NULL };
}

static void rank_free(struct itp_rank_sink *sink)
{
	struct rank *rank = (struct rank *)sink;

	clear_shown(&rank->shown);
	itp_rank_job_release(&sink->job);
	itp_params_release(&itp_rank_param_table, rank);
	g_clear_pointer(&rank->limits, g_array_unref);
	g_free(rank->next);
	g_free(rank);
}

static void refuse_waits(GError **error)
{
	itp_failure_set(error,
			"parameter \"by\": \"wait\" needs what each thread did when, which is "
			"kept only where perf introperf report or diff reads recordings of perf "
			"itself: use these, on the recordings instead of saved profiles");
}

/* Without latencies, the comparison has a better reason to refuse. */
static bool are_remembered(const GPtrArray *workloads)
{
	for (guint i = 0; i < workloads->len; i++) {
		const struct itp_set_workload *workload = g_ptr_array_index(workloads, i);

		if (!workload->profile->workload.recall &&
		    itp_workload_has_latencies(&workload->profile->workload)) {
			return false;
		}
	}
	return true;
}

/* Makes a ranking; `by` and `top` are the caller's. NULL on an error. */
static struct itp_ranking *make_ranking(const struct rank *rank, enum itp_rank_by by, uint64_t top,
					const struct itp_sides *sides, GError **error)
{
	const struct itp_ranking_options options = {
		.metric = rank->metric,
		.method = rank->method,
		.by = by,
		.top = top,
		.folds = rank->fold,
		/* A single path is looked at, out of all. */
		.least_share = rank->path > 0 ? 0 : rank->percent_limit / 100,
	};

	if (by == ITP_RANK_BY_WAIT &&
	    !(are_remembered(sides->suspects) && are_remembered(sides->bases))) {
		refuse_waits(error);
		return NULL;
	}
	return itp_rank_job_rank(&rank->sink.job, options, sides, error);
}

static bool check_limits(const struct rank *rank, const struct itp_sides *sides, GError **error)
{
	struct itp_ranking *paths;
	struct itp_ranking *functions;
	bool is_within;

	if (rank->limits->len == 0) {
		return true;
	}
	paths = make_ranking(rank, ITP_RANK_BY_PATH, 1, sides, error);
	functions = paths ? make_ranking(rank, ITP_RANK_BY_FUNCTION, 0, sides, error) : NULL;
	is_within = functions && itp_limits_check(rank->limits, paths, functions, error);
	itp_ranking_free(paths);
	itp_ranking_free(functions);
	return is_within;
}

/* True when the path asked for exists. */
static bool check_path(const struct rank *rank, const struct itp_ranking *ranking, GError **error)
{
	if (rank->path <= ranking->paths->len) {
		return true;
	}
	itp_failure_set(error,
			"parameter \"path\": there is no path %" G_GUINT64_FORMAT
			"; the ranking has %u",
			rank->path, ranking->paths->len);
	return false;
}

/* 0: CSV's own. */
static char separator_of(const struct rank *rank)
{
	const char *text = rank->separator;

	return !text ? '\0' : g_str_equal(text, TAB) ? '\t' : text[0];
}

static struct itp_render_options looks_of(const struct rank *rank)
{
	const struct itp_terminal terminal =
		itp_terminal_of_output(rank->sink.job.output == NULL, rank->color);

	return (struct itp_render_options){ .format = rank->format,
					    .width = MAX(terminal.columns, MIN_WIDTH),
					    .color = terminal.color,
					    .ascii = terminal.ascii,
					    .explain = rank->explain,
					    .verbose = rank->verbose,
					    .quiet = rank->quiet,
					    .all_rows = rank->has_top,
					    .separator = separator_of(rank),
					    .path = rank->path,
					    .next = rank->next,
					    .has_options = rank->has_options };
}

static bool is_text(const struct rank *rank)
{
	return rank->format == ITP_FORMAT_TEXT || rank->format == ITP_FORMAT_TREE;
}

static bool write_turn(const struct rank *rank, enum itp_write_turn turn, const GString *text,
		       GError **error)
{
	if (rank->screen) {
		itp_screen_leave(rank->screen);
	}
	return rank->shown_periods > 0 && !rank->screen ?
		       itp_write_turn(rank->sink.job.output, is_text(rank), turn, text, error) :
		       itp_write(rank->sink.job.output, text, error);
}

static bool write_text(const struct rank *rank, const struct itp_ranking *ranking,
		       const struct itp_render_options *looks, GError **error)
{
	g_autoptr(GString) text = g_string_new(NULL);

	itp_render_ranking(ranking, looks, text);
	return write_turn(rank, ITP_WRITE_LAST, text, error);
}

static bool write_ranking(const struct rank *rank, const struct itp_sides *sides,
			  enum itp_rank_ending ending, GError **error)
{
	const struct itp_set_workload *suspect = g_ptr_array_index(sides->suspects, 0);
	struct itp_render_options looks = looks_of(rank);
	struct itp_ranking *ranking =
		make_ranking(rank, rank->by, rank->path > 0 ? 0 : rank->sink.job.top, sides, error);
	bool done = ranking && check_path(rank, ranking, error);
	g_autofree char *more = NULL;

	if (done) {
		more = rank->tell_more ? rank->tell_more(ranking, &looks, rank->tell_data) : NULL;
		looks.more = more;
		looks.incomplete = ending == ITP_RANK_FAILED;
		looks.interrupted = ending == ITP_RANK_INTERRUPTED &&
				    !itp_ranking_is_read_whole(ranking, false);
		looks.periods = suspect->periods;
		/* A live trace cannot be looked at again. */
		looks.next = suspect->periods > 0 || rank->next[0] == '\0' ? NULL : looks.next;
		done = rank->show ? rank->show(ranking, &looks, rank->show_data, error) :
				    write_text(rank, ranking, &looks, error);
	}
	itp_ranking_free(ranking);
	return done;
}

/* Nothing may be left of a period by the parameters, or less than asked for. */
static bool rank_period(const struct rank *rank, const struct itp_set_workload *period,
			struct shown *shown)
{
	if (itp_profile_is_empty(period->latest) ||
	    !itp_sides_init(&shown->sides, rank->sink.job.workloads, period,
			    rank->sink.job.view_options, rank->sink.job.base, NULL) ||
	    shown->sides.suspects->len == 0) {
		return false;
	}
	shown->ranking = make_ranking(rank, rank->by, rank->path > 0 ? 0 : rank->sink.job.top,
				      &shown->sides, &shown->reason);
	if (shown->ranking && !check_path(rank, shown->ranking, &shown->reason)) {
		g_clear_pointer(&shown->ranking, itp_ranking_free);
	}
	return shown->ranking;
}

static void shown_init(struct shown *shown, const struct rank *rank,
		       const struct itp_set_workload *period)
{
	const struct itp_infer_counts *counts = &period->latest->workload.counts;

	*shown = (struct shown){ .looks = looks_of(rank) };
	shown->looks.next = NULL;
	shown->looks.period = period->periods;
	shown->looks.period_begin_ns = counts->begin_ns - period->begin_ns;
	shown->looks.period_end_ns = counts->end_ns - period->begin_ns;
	(void)rank_period(rank, period, shown);
}

/* Instead of a ranking. */
static void describe_nothing(const struct shown *shown, GString *text)
{
	g_autofree char *line =
		g_strdup_printf("Period %" G_GUINT64_FORMAT ": %s", shown->looks.period,
				shown->reason ? shown->reason->message : "nothing to be ranked");

	itp_label_wrap(text, line, 0, 0, shown->looks.width);
}

/* Draws on the screen, in its present size. */
static void draw(const struct rank *rank, struct shown *shown)
{
	g_autoptr(GString) text = g_string_new(NULL);

	shown->looks.width = looks_of(rank).width;
	if (shown->ranking) {
		itp_render_ranking(shown->ranking, &shown->looks, text);
	} else {
		describe_nothing(shown, text);
	}
	itp_screen_draw(rank->screen, text->str);
}

static bool write_period(struct rank *rank, const struct shown *shown, GError **error)
{
	g_autoptr(GString) text = g_string_new(NULL);

	if (!shown->ranking) {
		return true;
	}
	rank->shown_periods++;
	itp_render_ranking(shown->ranking, &shown->looks, text);
	return write_turn(rank, rank->shown_periods > 1 ? ITP_WRITE_NEXT : ITP_WRITE_FIRST, text,
			  error);
}

/* Lines of CSV do not tell their period, so there is only the last result. */
static bool show_period(struct itp_rank_job *job, const struct itp_set_workload *period,
			GError **error)
{
	struct rank *rank = (struct rank *)job;
	struct shown shown;
	bool done;

	if (rank->format == ITP_FORMAT_CSV) {
		return true;
	}
	shown_init(&shown, rank, period);
	if (rank->screen) {
		clear_shown(&rank->shown);
		rank->shown = shown;
		draw(rank, &rank->shown);
		return true;
	}
	done = write_period(rank, &shown, error);
	clear_shown(&shown);
	return done;
}

static void refresh(struct itp_rank_sink *sink)
{
	struct rank *rank = (struct rank *)sink;

	if (rank->shown.looks.period > 0 && itp_screen_has_changed(rank->screen)) {
		draw(rank, &rank->shown);
	}
}

static bool show_result(struct itp_rank_job *job, const struct itp_sides *sides,
			enum itp_rank_ending ending, GError **error)
{
	const struct rank *rank = (const struct rank *)job;
	GError *excess = NULL;

	if (rank->limits->len > 0 && sides->bases->len == 0) {
		itp_failure_set(error,
				"parameter \"fail-above\": nothing to compare with; name the "
				"input that behaves as parameter \"base\"");
		return false;
	}
	if (!write_ranking(rank, sides, ending, error)) {
		return false;
	}
	/* After a failure, the failure counts. */
	if (ending == ITP_RANK_FAILED || check_limits(rank, sides, &excess)) {
		return true;
	}
	if (rank->ret_is_above) {
		*rank->ret_is_above =
			g_error_matches(excess, itp_limit_quark(), ITP_LIMIT_EXCEEDED);
	}
	g_propagate_error(error, excess);
	return false;
}

bool itp_rank_is_by_wait(GHashTable *values)
{
	return g_strcmp0(itp_values_text(values, "by"), itp_rank_by_names[ITP_RANK_BY_WAIT]) == 0;
}

bool itp_rank_is_per_unit(GHashTable *values)
{
	const char *per = itp_values_text(values, "per");
	struct itp_per_unit parsed;

	return per && itp_per_parse(per, &parsed, NULL) && parsed.per == ITP_PER_UNIT;
}

const char *itp_rank_in(GHashTable *values)
{
	return itp_values_text(values, "in");
}

/* Waits have a measure of their own. */
static bool check_waits(const struct rank *rank, bool can_remember, GError **error)
{
	if (rank->by != ITP_RANK_BY_WAIT) {
		return true;
	}
	if (rank->metric != ITP_METRIC_OWN || rank->method != ITP_METHOD_TOTALS) {
		itp_failure_set(error,
				"parameter \"%s\": what waits are ranked by is what they hold up; "
				"leave it out",
				rank->metric != ITP_METRIC_OWN ? "metric" : "method");
		return false;
	}
	if (!can_remember) {
		refuse_waits(error);
	}
	return can_remember;
}

static bool check_percent_limit(const struct rank *rank, GError **error)
{
	const bool is_time = rank->metric == ITP_METRIC_OWN || rank->metric == ITP_METRIC_TOTAL;

	if (rank->percent_limit < 0 || rank->percent_limit > 100) {
		itp_failure_set(error, "parameter \"percent-limit\": a share of the time, from 0 "
				       "to 100");
	} else if (rank->percent_limit > 0 && (!is_time || rank->by == ITP_RANK_BY_WAIT)) {
		itp_failure_set(error,
				"parameter \"percent-limit\": a share of own or total time; leave "
				"out parameter \"%s\"",
				is_time ? "by" : "metric");
	} else {
		return true;
	}
	return false;
}

static bool check_separator(const struct rank *rank, GError **error)
{
	const char *text = rank->separator;

	if (text && rank->format != ITP_FORMAT_CSV) {
		itp_failure_set(error, "parameter \"separator\": only CSV has one; leave it out");
		return false;
	}
	if (text && !g_str_equal(text, TAB) &&
	    (strlen(text) != 1 || (!g_ascii_ispunct(text[0]) && !strchr(" \t", text[0])) ||
	     strchr("\"'.-+", text[0]))) {
		itp_failure_set(error,
				"parameter \"separator\": \"%s\" is no character that can separate "
				"columns, as \",\", \";\" or \"" TAB "\"",
				text);
		return false;
	}
	return true;
}

static bool prepare(struct rank *rank, bool can_remember, GError **error)
{
	/* The paper ranks contexts as they are. */
	rank->sink.job.view.fold_recursion &= rank->method != ITP_METHOD_PAPER;
	if (rank->path > 0 && rank->by != ITP_RANK_BY_PATH) {
		itp_failure_set(error,
				"parameter \"path\": only paths have calls to show; leave out "
				"parameter \"by\"");
		return false;
	}
	if (rank->by == ITP_RANK_BY_PROCESS && rank->metric != ITP_METRIC_OWN) {
		itp_failure_set(error, "parameter \"metric\": processes are ranked by their time; "
				       "leave it out");
		return false;
	}
	if (rank->explain && !is_text(rank)) {
		itp_failure_set(error,
				"parameter \"explain\": only text has words to explain; leave out "
				"parameter \"format\"");
		return false;
	}
	rank->limits = itp_limits_parse(rank->fail_above, error);
	return rank->limits && check_separator(rank, error) &&
	       check_waits(rank, can_remember, error) && check_percent_limit(rank, error) &&
	       itp_rank_job_open(&rank->sink.job, error);
}

struct itp_rank_sink *itp_rank_new(GHashTable *values, const struct itp_rank_host *host,
				   GError **error)
{
	struct rank *rank = g_new0(struct rank, 1);

	rank->next = g_strdup(host && host->next ? host->next : DEFAULT_NEXT);
	rank->sink.job.show_result = show_result;
	rank->sink.job.show_period = show_period;
	rank->sink.refresh = refresh;
	rank->sink.free = rank_free;
	rank->show = host ? host->show : NULL;
	rank->show_data = host ? host->show_data : NULL;
	rank->tell_more = host ? host->tell_more : NULL;
	rank->tell_data = host ? host->tell_data : NULL;
	rank->sink.job.top = TOP_UNSAID;
	rank->sink.job.view.fold_recursion = true;
	rank->fold = true;
	if (!itp_params_read(&itp_rank_param_table, values, rank, error) ||
	    !prepare(rank, host && host->can_remember, error)) {
		rank_free(&rank->sink);
		return NULL;
	}
	rank->has_top = rank->sink.job.top != TOP_UNSAID;
	if (!rank->has_top) {
		rank->sink.job.top = rank->show ? 0 : DEFAULT_TOP;
	}
	rank->has_options = host && host->has_options;
	rank->ret_is_above = host ? host->ret_is_above : NULL;
	rank->screen = host && is_text(rank) && !rank->sink.job.output ? host->screen : NULL;
	return &rank->sink;
}

bt_component_class_initialize_method_status itp_rank_init(
	bt_self_component_sink *self, bt_self_component_sink_configuration *configuration,
	const bt_value *params, void *data)
{
	g_autoptr(GHashTable) values = itp_values_of_map(params);
	GError *error = NULL;
	struct itp_rank_sink *sink = itp_rank_new(values, NULL, &error);

	(void)configuration;
	(void)data;
	return itp_rank_sink_init(self, sink, error);
}
