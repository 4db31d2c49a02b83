/* SPDX-License-Identifier: MIT */
/*
 * See written-ranking.h. The result is written before it is judged by `fail-above`.
 */
#include "common/engine/written-ranking.h"

#include "common/base/failure.h"
#include "common/base/labels.h"
#include "common/engine/limit.h"
#include "common/engine/ranking-params.h"
#include "common/engine/write.h"
#include "common/render/formats/formats.h"
#include "common/render/workload.h"

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
	struct itp_rank_job job;
	struct itp_rank_params params;
	/* The user has said how many. */
	bool has_top;
	/* Its screen is NULL where the result is no text for a terminal. */
	struct itp_rank_host host;
	/* How users ask for the calls of path 1. Owned by this. */
	char *next;
	/* How many periods had a result of their own. */
	uint64_t shown_periods;
	struct shown shown;
};

static const struct itp_param rank_params[] = {
	ITP_RANK_PARAMS(struct rank, params),
	ITP_RANK_JOB_PARAMS(struct rank, job),
};

const struct itp_param_table itp_rank_param_table = { rank_params, G_N_ELEMENTS(rank_params) };

static void clear_shown(struct shown *shown)
{
	itp_ranking_free(shown->ranking);
	itp_sides_release(&shown->sides);
	g_clear_error(&shown->reason);
	*shown = (struct shown){ .ranking = NULL };
}

static void rank_free(struct itp_rank_job *job)
{
	struct rank *rank = (struct rank *)job;

	clear_shown(&rank->shown);
	itp_rank_job_release(job);
	itp_params_release(&itp_rank_param_table, rank);
	itp_rank_params_release(&rank->params);
	g_free(rank->next);
	g_free(rank);
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
		.metric = rank->params.metric,
		.method = rank->params.method,
		.by = by,
		.top = top,
		.folds = rank->params.fold,
		/* A single path is looked at, out of all. */
		.least_share = rank->params.path > 0 ? 0 : rank->params.percent_limit / 100,
	};

	if (by == ITP_RANK_BY_WAIT &&
	    !(are_remembered(sides->suspects) && are_remembered(sides->bases))) {
		itp_rank_refuse_waits(error);
		return NULL;
	}
	return itp_rank_job_rank(&rank->job, options, sides, error);
}

static bool check_limits(const struct rank *rank, const struct itp_sides *sides, GError **error)
{
	struct itp_ranking *paths;
	struct itp_ranking *functions;
	bool is_within;

	if (rank->params.limits->len == 0) {
		return true;
	}
	paths = make_ranking(rank, ITP_RANK_BY_PATH, 1, sides, error);
	functions = paths ? make_ranking(rank, ITP_RANK_BY_FUNCTION, 0, sides, error) : NULL;
	is_within = functions && itp_limits_check(rank->params.limits, paths, functions, error);
	itp_ranking_free(paths);
	itp_ranking_free(functions);
	return is_within;
}

/* True when the path asked for exists. */
static bool check_path(const struct rank *rank, const struct itp_ranking *ranking, GError **error)
{
	if (rank->params.path <= ranking->paths->len) {
		return true;
	}
	itp_failure_set(error,
			"parameter \"path\": there is no path %" G_GUINT64_FORMAT
			"; the ranking has %u",
			rank->params.path, ranking->paths->len);
	return false;
}

static struct itp_render_options looks_of(const struct rank *rank)
{
	const struct itp_terminal terminal =
		itp_terminal_of_output(rank->job.output == NULL, rank->params.color);

	return (struct itp_render_options){ .format = rank->params.format,
					    .width = MAX(terminal.columns, MIN_WIDTH),
					    .color = terminal.color,
					    .ascii = terminal.ascii,
					    .explain = rank->params.explain,
					    .verbose = rank->params.verbose,
					    .quiet = rank->params.quiet,
					    .all_rows = rank->has_top,
					    .separator = itp_rank_params_separator(&rank->params),
					    .path = rank->params.path,
					    .next = rank->next,
					    .has_options = rank->host.has_options };
}

static bool write_turn(const struct rank *rank, enum itp_write_turn turn, const GString *text,
		       GError **error)
{
	if (rank->host.screen) {
		itp_screen_leave(rank->host.screen);
	}
	return rank->shown_periods > 0 && !rank->host.screen ?
		       itp_write_turn(rank->job.output, itp_rank_params_are_text(&rank->params),
				      turn, text, error) :
		       itp_write(rank->job.output, text, error);
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
	struct itp_ranking *ranking = make_ranking(
		rank, rank->params.by, rank->params.path > 0 ? 0 : rank->job.top, sides, error);
	bool done = ranking && check_path(rank, ranking, error);
	g_autofree char *more = NULL;

	if (done) {
		more = rank->host.tell_more ?
			       rank->host.tell_more(ranking, &looks, rank->host.tell_data) :
			       NULL;
		looks.more = more;
		looks.incomplete = ending == ITP_RANK_FAILED;
		looks.interrupted = ending == ITP_RANK_INTERRUPTED &&
				    !itp_ranking_is_read_whole(ranking, false);
		looks.periods = suspect->periods;
		/* A live trace cannot be looked at again. */
		looks.next = suspect->periods > 0 || rank->next[0] == '\0' ? NULL : looks.next;
		done = rank->host.show ?
			       rank->host.show(ranking, &looks, rank->host.show_data, error) :
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
	    !itp_sides_init(&shown->sides, rank->job.workloads, period, rank->job.view_options,
			    rank->job.base, NULL) ||
	    shown->sides.suspects->len == 0) {
		return false;
	}
	shown->ranking = make_ranking(rank, rank->params.by,
				      rank->params.path > 0 ? 0 : rank->job.top, &shown->sides,
				      &shown->reason);
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
	itp_screen_draw(rank->host.screen, text->str);
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

	if (rank->params.format == ITP_FORMAT_CSV) {
		return true;
	}
	shown_init(&shown, rank, period);
	if (rank->host.screen) {
		clear_shown(&rank->shown);
		rank->shown = shown;
		draw(rank, &rank->shown);
		return true;
	}
	done = write_period(rank, &shown, error);
	clear_shown(&shown);
	return done;
}

static void refresh(struct itp_rank_job *job)
{
	struct rank *rank = (struct rank *)job;

	if (rank->shown.looks.period > 0 && itp_screen_has_changed(rank->host.screen)) {
		draw(rank, &rank->shown);
	}
}

static bool show_result(struct itp_rank_job *job, const struct itp_sides *sides,
			enum itp_rank_ending ending, GError **error)
{
	const struct rank *rank = (const struct rank *)job;
	GError *excess = NULL;

	if (rank->params.limits->len > 0 && sides->bases->len == 0) {
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
	if (rank->host.ret_is_above) {
		*rank->host.ret_is_above =
			g_error_matches(excess, itp_limit_quark(), ITP_LIMIT_EXCEEDED);
	}
	g_propagate_error(error, excess);
	return false;
}

static bool read_params(struct rank *rank, GHashTable *values, GError **error)
{
	if (!itp_params_read(&itp_rank_param_table, values, rank, error) ||
	    !itp_rank_params_interpret(&rank->params, rank->host.can_remember, error)) {
		return false;
	}
	/* The paper ranks contexts as they are. */
	rank->job.view.fold_recursion &= rank->params.method != ITP_METHOD_PAPER;
	rank->has_top = rank->job.top != TOP_UNSAID;
	if (!rank->has_top) {
		rank->job.top = rank->host.show ? 0 : DEFAULT_TOP;
	}
	if (!itp_rank_params_are_text(&rank->params) || rank->job.output) {
		rank->host.screen = NULL;
	}
	return itp_rank_job_open(&rank->job, error);
}

struct itp_rank_job *itp_rank_new(GHashTable *values, const struct itp_rank_host *host,
				  GError **error)
{
	struct rank *rank = g_new0(struct rank, 1);

	*rank = (struct rank){ .job = { .show_result = show_result,
					.show_period = show_period,
					.refresh = refresh,
					.free = rank_free,
					.top = TOP_UNSAID,
					.view = { .fold_recursion = true } },
			       .params = ITP_RANK_PARAMS_DEFAULTS };
	if (host) {
		rank->host = *host;
	}
	rank->next = g_strdup(rank->host.next ? rank->host.next : DEFAULT_NEXT);
	if (!read_params(rank, values, error)) {
		rank_free(&rank->job);
		return NULL;
	}
	return &rank->job;
}
