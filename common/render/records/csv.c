/* SPDX-License-Identifier: MIT */
/*
 * A ranking as comma-separated values (RFC 4180, lines end with CR LF): a line of names, then a
 * line for each frame of each path, root first, or for each function or module, then one for each
 * wait for work; or the frames of a single path, and for its function a line for each bucket of the
 * histogram and each of the slowest calls. Values of the path or of the whole input are repeated on
 * each line, so that no line is read without knowing how complete its input was; an empty ranking
 * has one line with only these values. Missing values are empty. Names are as in the text, with "'"
 * in front of those that a spreadsheet would take for a formula.
 *
 * Later additions come last.
 */
#include "common/render/records/records.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

#include "common/base/labels.h"
#include "common/infer/node-fields.h"
#include "common/rank/detail.h"
#include "common/rank/held-up.h"
#include "common/render/cells.h"
#include "common/render/entries.h"
#include "common/render/unwatched.h"
#include "common/render/workload.h"

#define LINE_END "\r\n"
#define COMMA ','

/* clang-format off */
#define COLUMNS(X) \
	X(schema) X(base) X(suspect) X(metric) X(method) X(unit) X(complete) \
	X(lost_events) X(broken_stacks) X(rank) X(cost) X(base_value) X(suspect_value) \
	X(process) X(new) X(more_calls_ns) X(slower_calls_ns) X(delta_cpu_ns) \
	X(delta_blocked_ns) X(delta_runnable_ns) X(frame) X(function) X(module) \
	X(culprit) X(frame_rank) X(frame_value) X(frame_base_value) X(count) \
	X(total_ns) X(own_ns) X(min_ns) X(max_ns) X(lower_ns) X(upper_ns) X(cpu_ns) \
	X(blocked_ns) X(runnable_ns) X(own_cpu_ns) X(own_blocked_ns) \
	X(own_runnable_ns) X(lost_count) X(base_count) X(base_total_ns) X(base_own_ns) \
	X(deep_stacks) X(unwind_failures) X(calls) X(unnamed_calls) X(type) X(per) \
	X(suspect_units) X(base_units) X(suspect_runs) X(base_runs) X(doubts) \
	X(novelty) \
	X(moved_from) X(path_cost) X(paths) X(variants) X(culprit_calls) \
	X(base_culprit_calls) X(kind) X(cost_module) X(cost_kind) X(blocked_in) \
	X(effect) X(score) X(noise) X(rare) X(max_count) X(base_max_count) \
	X(base_own_cpu_ns) X(base_own_blocked_ns) X(base_own_runnable_ns) \
	X(waker_process) X(waker_function) X(waker_blocked_ns) \
	X(workload) X(pid) X(tid) X(begin_ns) \
	X(doubt) X(probability) X(measurement_ns) X(runs_ns) X(spread) X(samples) \
	X(base_samples) X(waits) X(base_waits) X(called_otherwise) \
	X(unsplit_ns) X(culprit_possible_calls) X(base_culprit_possible_calls) \
	X(possible_count) X(base_possible_count) X(ranked_value) X(share) \
	X(own_samples) X(own_deviation_ns) X(base_own_samples) X(base_own_deviation_ns) \
	X(verdict) X(never_taken)
/* clang-format on */

#define COLUMN_NUMBER(name) COLUMN_##name,
#define COLUMN_NAME(name) #name,

enum column {
	COLUMNS(COLUMN_NUMBER) COLUMN_COUNT
};

static const char *const column_names[] = { COLUMNS(COLUMN_NAME) };

/* Between the functions of a context. */
static const char names_separator[] = " > ";

struct line {
	/* Values by column, NULL for none. Owned by this. */
	char *values[COLUMN_COUNT];
	char separator;
	/* Columns that exist only with latencies are not empty. */
	bool has_latencies;
};

/* Sets the value of a column, in place of an older one. */

static void take(struct line *line, enum column column, char *value)
{
	g_free(line->values[column]);
	line->values[column] = value;
}

/* True for text that a spreadsheet takes for a formula, and may run. */
static bool is_formula(const char *text)
{
	const char *first = text + strspn(text, " ");

	return *first != '\0' && strchr("=+-@", *first) != NULL;
}

/* Replaces separators, like perf: programs that cut lines know nothing of quotation marks. */
static char *without_separator(char *value, char separator)
{
	const char separators[] = { separator, '\0' };

	return g_strdelimit(value, separators, '.');
}

static void set_text(struct line *line, enum column column, const char *text)
{
	g_autofree char *clean = itp_label_clean_text(text);
	g_autofree char *plain = g_strconcat(is_formula(clean) ? "'" : "", clean, NULL);
	g_auto(GStrv) parts = NULL;
	g_autofree char *doubled = NULL;

	if (line->separator != COMMA) {
		take(line, column, without_separator(g_steal_pointer(&plain), line->separator));
		return;
	}
	if (strpbrk(plain, ",\"") == NULL) {
		take(line, column, g_steal_pointer(&plain));
		return;
	}
	parts = g_strsplit(plain, "\"", -1);
	doubled = g_strjoinv("\"\"", parts);
	take(line, column, g_strdup_printf("\"%s\"", doubled));
}

static void set_signed(struct line *line, enum column column, int64_t value)
{
	take(line, column, g_strdup_printf("%" PRId64, value));
}

static void set_unsigned(struct line *line, enum column column, uint64_t value)
{
	take(line, column, g_strdup_printf("%" PRIu64, value));
}

static void set_bool(struct line *line, enum column column, bool value)
{
	take(line, column, g_strdup(value ? "true" : "false"));
}

static void set_real(struct line *line, enum column column, double value)
{
	char digits[G_ASCII_DTOSTR_BUF_SIZE];

	if (isfinite(value)) {
		take(line, column,
		     g_strdup(g_ascii_formatd(digits, sizeof(digits), "%.6g", value)));
	}
}

static void append_line(const struct line *line, GString *output)
{
	for (size_t i = 0; i < COLUMN_COUNT; i++) {
		bool is_known = line->has_latencies || !itp_unwatched_lacks(column_names[i]);

		if (i > 0) {
			g_string_append_c(output, line->separator);
		}
		g_string_append(output, line->values[i] && is_known ? line->values[i] : "");
	}
	g_string_append(output, line->separator == COMMA ? LINE_END : "\n");
}

static void line_release(struct line *line)
{
	for (size_t i = 0; i < COLUMN_COUNT; i++) {
		g_free(line->values[i]);
	}
}

/* Empties all columns but the input's. */
static void line_restart(struct line *line)
{
	for (size_t i = COLUMN_rank; i < COLUMN_COUNT; i++) {
		bool is_input = (i >= COLUMN_deep_stacks && i <= COLUMN_unnamed_calls) ||
				(i >= COLUMN_per && i <= COLUMN_doubts);

		if (!is_input) {
			take(line, (enum column)i, NULL);
		}
	}
}

static void set_scale(struct line *line, const struct itp_ranking *ranking)
{
	set_text(line, COLUMN_per, ranking->options.per ? ranking->options.per : "run");
	set_real(line, COLUMN_suspect_units, ranking->suspect_units);
	set_unsigned(line, COLUMN_suspect_runs, ranking->suspect_runs);
	if (ranking->base != NULL) {
		set_real(line, COLUMN_base_units, ranking->base_units);
		set_unsigned(line, COLUMN_base_runs, ranking->base_runs);
	}
}

/* Names between blanks. */
static void set_doubts(struct line *line, uint32_t doubts)
{
	g_autoptr(GString) names = g_string_new(NULL);

	for (size_t i = 0; i < ITP_DOUBT_COUNT; i++) {
		if (doubts & 1u << i) {
			g_string_append_printf(names, "%s%s", names->len > 0 ? " " : "",
					       itp_doubt_names[i]);
		}
	}
	set_text(line, COLUMN_doubts, names->str);
}

static void set_input(struct line *line, const struct itp_ranking *ranking, bool incomplete)
{
	static const struct itp_workload none = { .name = NULL };
	const struct itp_workload *suspect = &ranking->suspect->workload;
	const struct itp_workload *base = ranking->base == NULL ? &none : &ranking->base->workload;

	set_signed(line, COLUMN_schema, ITP_RENDER_SCHEMA);
	set_text(line, COLUMN_base, base->name ? base->name : "");
	set_text(line, COLUMN_suspect, suspect->name);
	set_text(line, COLUMN_metric, itp_metric_names[ranking->options.metric]);
	set_text(line, COLUMN_method, itp_method_names[ranking->options.method]);
	set_text(line, COLUMN_unit, ranking->options.metric == ITP_METRIC_COUNT ? "calls" : "ns");
	set_bool(line, COLUMN_complete, itp_ranking_is_complete(ranking, incomplete));
	set_unsigned(line, COLUMN_lost_events,
		     suspect->counts.lost_events + base->counts.lost_events);
	set_unsigned(line, COLUMN_broken_stacks,
		     suspect->counts.broken_stacks + base->counts.broken_stacks);
	set_unsigned(line, COLUMN_deep_stacks,
		     suspect->counts.deep_stacks + base->counts.deep_stacks);
	set_unsigned(line, COLUMN_unwind_failures,
		     suspect->counts.unwind_failures + base->counts.unwind_failures);
	set_unsigned(line, COLUMN_calls, ranking->suspect_calls.calls + ranking->base_calls.calls);
	set_unsigned(line, COLUMN_unnamed_calls,
		     ranking->suspect_calls.unnamed + ranking->base_calls.unnamed);
	set_scale(line, ranking);
	set_doubts(line, ranking->doubts);
}

/* ---- Paths ---- */

/* Names from the process root to a node. */
static void set_names(struct line *line, enum column column, const struct itp_ranking *ranking,
		      uint32_t node)
{
	g_autoptr(GArray) functions = g_array_new(FALSE, FALSE, sizeof(uint32_t));
	g_autoptr(GString) names = g_string_new(NULL);

	itp_context_tree_path(ranking->tree, node, functions);
	for (guint i = 0; i < functions->len; i++) {
		g_string_append(names, i > 0 ? names_separator : "");
		g_string_append(
			names,
			itp_function_at(ranking, g_array_index(functions, uint32_t, i))->name);
	}
	set_text(line, column, names->str);
}

/* Empty without a limit. */
static void set_possible(struct line *line, enum column column, uint64_t seen, uint64_t unseen)
{
	if (unseen == ITP_CALLS_UNKNOWN) {
		take(line, column, NULL);
	} else {
		set_unsigned(line, column, seen + unseen);
	}
}

static void set_delta(struct line *line, const struct itp_delta *delta)
{
	set_signed(line, COLUMN_more_calls_ns, delta->more_calls_ns);
	set_signed(line, COLUMN_slower_calls_ns, delta->slower_calls_ns);
	set_signed(line, COLUMN_unsplit_ns, delta->unsplit_ns);
	set_signed(line, COLUMN_delta_cpu_ns, delta->use.cpu_ns);
	set_signed(line, COLUMN_delta_blocked_ns, delta->use.blocked_ns);
	set_signed(line, COLUMN_delta_runnable_ns, delta->use.runnable_ns);
}

/* Numbers behind a verdict. */
static void set_doubt(struct line *line, const struct itp_significance *significance)
{
	set_text(line, COLUMN_doubt, itp_doubt_about_names[significance->doubt]);
	set_real(line, COLUMN_probability, significance->probability);
	set_signed(line, COLUMN_measurement_ns, llround(significance->measurement_ns));
	set_signed(line, COLUMN_runs_ns, llround(significance->runs_ns));
	set_real(line, COLUMN_spread, significance->spread);
	set_unsigned(line, COLUMN_samples, significance->samples);
	set_unsigned(line, COLUMN_base_samples, significance->base_samples);
	set_unsigned(line, COLUMN_waits, significance->waits);
	set_unsigned(line, COLUMN_base_waits, significance->base_waits);
	set_bool(line, COLUMN_called_otherwise, significance->is_called_otherwise);
	set_bool(line, COLUMN_never_taken, significance->is_never_taken);
}

/* Kind of a difference, its verdict, and its place. */
static void set_entry(struct line *line, const struct itp_ranking *ranking,
		      const struct itp_ranked_path *path)
{
	set_text(line, COLUMN_novelty, itp_novelty_names[path->novelty]);
	if (path->novelty == ITP_NOVELTY_MOVED) {
		set_names(line, COLUMN_moved_from, ranking, path->moved_from);
	}
	set_signed(line, COLUMN_path_cost, path->path_cost);
	set_unsigned(line, COLUMN_paths, path->path_count);
	set_unsigned(line, COLUMN_variants, path->variant_count);
	set_unsigned(line, COLUMN_culprit_calls, path->suspect_calls);
	set_unsigned(line, COLUMN_base_culprit_calls, path->base_calls);
	set_possible(line, COLUMN_culprit_possible_calls, path->suspect_calls,
		     path->suspect_unseen);
	set_possible(line, COLUMN_base_culprit_possible_calls, path->base_calls, path->base_unseen);
	if (path->cost_function != ITP_FUNCTION_UNKNOWN) {
		set_text(line, COLUMN_cost_module,
			 itp_function_at(ranking, path->cost_function)->module);
		set_text(line, COLUMN_cost_kind, itp_kind_of(ranking, path->cost_function));
	}
	if (path->syscall != ITP_FUNCTION_UNKNOWN) {
		set_text(line, COLUMN_blocked_in, itp_function_at(ranking, path->syscall)->name);
	}
	if (path->waited_for[ITP_WAKER_WOKE]->len > 0) {
		const struct itp_waker *waker =
			&g_array_index(path->waited_for[ITP_WAKER_WOKE], struct itp_waker, 0);

		set_text(line, COLUMN_waker_process,
			 itp_function_at(ranking, waker->process)->name);
		set_text(line, COLUMN_waker_function,
			 itp_function_at(ranking, waker->function)->name);
		set_signed(line, COLUMN_waker_blocked_ns, waker->blocked_ns);
	}
	set_real(line, COLUMN_effect, path->significance.effect);
	set_real(line, COLUMN_score, path->significance.score);
	set_bool(line, COLUMN_noise, itp_significance_is_chance(&path->significance));
	set_bool(line, COLUMN_rare, path->is_rare);
	set_text(line, COLUMN_verdict, itp_verdict_names[path->significance.verdict]);
	set_doubt(line, &path->significance);
}

static void set_path(struct line *line, const struct itp_ranking *ranking,
		     const struct itp_ranked_path *path)
{
	set_text(line, COLUMN_type, "path");
	set_unsigned(line, COLUMN_rank, path->rank);
	set_signed(line, COLUMN_cost, path->cost);
	set_signed(line, COLUMN_base_value, path->base_value);
	set_signed(line, COLUMN_suspect_value, path->suspect_value);
	set_signed(line, COLUMN_ranked_value, path->ranked_value);
	set_real(line, COLUMN_share, itp_ranking_share(ranking, itp_path_own_delta_ns(path)));
	set_text(line, COLUMN_process, itp_function_at(ranking, path->process)->name);
	set_bool(line, COLUMN_new, path->novelty == ITP_NOVELTY_NEW);
	set_delta(line, &path->delta);
	set_entry(line, ranking, path);
}

static void set_function(struct line *line, const struct itp_ranking *ranking, uint32_t id)
{
	const struct itp_function *function = itp_function_at(ranking, id);

	set_text(line, COLUMN_function, function->name);
	set_text(line, COLUMN_module, function->module);
	set_text(line, COLUMN_kind, itp_kind_of(ranking, id));
}

/* cpu, blocked, runnable lie side by side. */
static void set_use(struct line *line, enum column first, const struct itp_time_use *use)
{
	set_signed(line, first, use->cpu_ns);
	set_signed(line, first + 1, use->blocked_ns);
	set_signed(line, first + 2, use->runnable_ns);
}

/* Columns for numbers of a node. */
struct node_column {
	enum column column;
	enum itp_node_field field;
};

#define OF_SUSPECT(name)                       \
	{                                      \
		COLUMN_##name, ITP_NODE_##name \
	}
#define OF_BASE(name)                               \
	{                                           \
		COLUMN_base_##name, ITP_NODE_##name \
	}

static const struct node_column suspect_columns[] = {
	OF_SUSPECT(count),          OF_SUSPECT(max_count),       OF_SUSPECT(total_ns),
	OF_SUSPECT(own_ns),         OF_SUSPECT(min_ns),          OF_SUSPECT(max_ns),
	OF_SUSPECT(lower_ns),       OF_SUSPECT(upper_ns),        OF_SUSPECT(cpu_ns),
	OF_SUSPECT(blocked_ns),     OF_SUSPECT(runnable_ns),     OF_SUSPECT(own_cpu_ns),
	OF_SUSPECT(own_blocked_ns), OF_SUSPECT(own_runnable_ns), OF_SUSPECT(lost_count),
};

static const struct node_column base_columns[] = {
	OF_BASE(count),      OF_BASE(max_count),      OF_BASE(total_ns),        OF_BASE(own_ns),
	OF_BASE(own_cpu_ns), OF_BASE(own_blocked_ns), OF_BASE(own_runnable_ns),
};

static void set_stats(struct line *line, const struct itp_node_stats *stats,
		      const struct node_column *columns, size_t count)
{
	for (size_t i = 0; i < count; i++) {
		uint64_t value = itp_node_field_value(stats, columns[i].field);

		if (itp_node_field_is_signed(columns[i].field)) {
			set_signed(line, columns[i].column, (int64_t)value);
		} else {
			set_unsigned(line, columns[i].column, value);
		}
	}
}

/* Number and deviation lie side by side; the latter is empty when it is not known. */
static void set_ticks(struct line *line, enum column first, const struct itp_workload *workload,
		      const struct itp_ticks *ticks)
{
	set_unsigned(line, first, ticks->samples);
	if (itp_workload_has_ticks(workload)) {
		set_signed(line, first + 1, llround(itp_ticks_deviation_ns(ticks)));
	}
}

static void set_calls(struct line *line, const struct itp_ranking *ranking,
		      const struct itp_ranked_frame *frame)
{
	const struct itp_cell_calls calls = itp_cell_calls_of(ranking, frame->suspect, frame->base);

	set_possible(line, COLUMN_possible_count, calls.suspect, calls.suspect_unseen);
	if (frame->base != NULL) {
		set_possible(line, COLUMN_base_possible_count, calls.base, calls.base_unseen);
	}
}

static void append_path(struct line *line, const struct itp_ranking *ranking,
			const struct itp_ranked_path *path, GString *output)
{
	line_restart(line);
	set_path(line, ranking, path);
	for (uint32_t i = 0; i < path->frame_count; i++) {
		const struct itp_ranked_frame *frame = &path->frames[i];
		struct itp_ticks ticks;

		set_unsigned(line, COLUMN_frame, i);
		set_function(line, ranking, frame->function);
		set_bool(line, COLUMN_culprit, path->culprit == (int32_t)i);
		set_unsigned(line, COLUMN_frame_rank, frame->rank);
		set_signed(line, COLUMN_frame_value, frame->value);
		set_signed(line, COLUMN_frame_base_value, frame->base_value);
		set_stats(line, frame->suspect, suspect_columns, G_N_ELEMENTS(suspect_columns));
		ticks = itp_node_stats_ticks(frame->suspect);
		set_ticks(line, COLUMN_own_samples, &ranking->suspect->workload, &ticks);
		if (frame->base != NULL) {
			set_stats(line, frame->base, base_columns, G_N_ELEMENTS(base_columns));
			ticks = itp_node_stats_ticks(frame->base);
			set_ticks(line, COLUMN_base_own_samples, &ranking->base->workload, &ticks);
		}
		set_calls(line, ranking, frame);
		append_line(line, output);
	}
}

/* ---- Functions, modules, waits ---- */

static void append_row(struct line *line, const struct itp_ranking *ranking,
		       const struct itp_ranked_row *row, GString *output)
{
	line_restart(line);
	set_text(line, COLUMN_type, itp_rank_by_names[ranking->options.by]);
	set_unsigned(line, COLUMN_rank, row->rank);
	if (ranking->options.by != ITP_RANK_BY_PROCESS) {
		set_function(line, ranking, row->function);
	}
	set_text(line, COLUMN_process, itp_function_at(ranking, row->process)->name);
	if (ranking->options.by == ITP_RANK_BY_MODULE) {
		take(line, COLUMN_function, NULL);
	}
	set_signed(line, COLUMN_ranked_value, row->ranked_value);
	set_real(line, COLUMN_share, itp_ranking_share(ranking, row->own_ns - row->base_own_ns));
	set_signed(line, COLUMN_own_ns, row->own_ns);
	set_signed(line, COLUMN_total_ns, row->total_ns);
	set_unsigned(line, COLUMN_count, row->count);
	set_possible(line, COLUMN_possible_count, row->count, row->unseen);
	set_use(line, COLUMN_own_cpu_ns, &row->use);
	set_ticks(line, COLUMN_own_samples, &ranking->suspect->workload, &row->ticks);
	if (ranking->base != NULL) {
		set_signed(line, COLUMN_base_own_ns, row->base_own_ns);
		set_signed(line, COLUMN_base_total_ns, row->base_total_ns);
		set_unsigned(line, COLUMN_base_count, row->base_count);
		set_possible(line, COLUMN_base_possible_count, row->base_count, row->base_unseen);
		set_use(line, COLUMN_base_own_cpu_ns, &row->base_use);
		set_ticks(line, COLUMN_base_own_samples, &ranking->base->workload,
			  &row->base_ticks);
	}
	append_line(line, output);
}

/* The value is the time of others held up, and its own waiting the blocked time. */
static void append_held(struct line *line, const struct itp_ranking *ranking,
			const struct itp_held_row *row, GString *output)
{
	line_restart(line);
	set_text(line, COLUMN_type, itp_rank_by_names[ranking->options.by]);
	set_unsigned(line, COLUMN_rank, row->rank);
	set_function(line, ranking, row->function);
	set_signed(line, COLUMN_cost, itp_held_row_ranked_ns(row));
	set_signed(line, COLUMN_suspect_value, itp_held_row_own_ns(row));
	set_signed(line, COLUMN_base_value, itp_held_row_base_own_ns(row));
	set_signed(line, COLUMN_ranked_value, itp_held_row_ranked_ns(row));
	set_signed(line, COLUMN_own_blocked_ns, row->wait_ns);
	if (ranking->base != NULL) {
		set_signed(line, COLUMN_base_own_blocked_ns, row->base_wait_ns);
	}
	append_line(line, output);
}

static void append_idle(struct line *line, const struct itp_ranking *ranking,
			const struct itp_idle_wait *wait, GString *output)
{
	line_restart(line);
	set_text(line, COLUMN_type, "idle");
	set_text(line, COLUMN_process, itp_function_at(ranking, wait->process)->name);
	set_function(line, ranking, wait->function);
	set_text(line, COLUMN_blocked_in, itp_function_at(ranking, wait->syscall)->name);
	set_signed(line, COLUMN_total_ns, wait->suspect_ns);
	if (ranking->base != NULL) {
		set_signed(line, COLUMN_base_total_ns, wait->base_ns);
	}
	append_line(line, output);
}

/* ---- A path from nearby ---- */

static void restart_detail(struct line *line, const struct itp_ranking *ranking, uint32_t rank,
			   const struct itp_path_detail *detail, const char *type)
{
	line_restart(line);
	set_text(line, COLUMN_type, type);
	set_unsigned(line, COLUMN_rank, rank);
	set_function(line, ranking, detail->face->function);
}

/* Latencies from min_ns up to below max_ns, missing for the last bucket. */
static void set_bucket(struct line *line, const struct itp_ranking *ranking,
		       const struct itp_path_detail *detail, size_t bucket)
{
	set_signed(line, COLUMN_min_ns, itp_bucket_begin_ns(bucket));
	if (bucket + 1 < ITP_HISTOGRAM_BUCKETS) {
		set_signed(line, COLUMN_max_ns, itp_bucket_begin_ns(bucket + 1));
	}
	set_unsigned(line, COLUMN_count, detail->suspect.stats.histogram[bucket]);
	if (ranking->base != NULL) {
		set_unsigned(line, COLUMN_base_count, detail->base.stats.histogram[bucket]);
	}
}

static void set_call(struct line *line, const char *workload, const struct itp_slow_call *call)
{
	set_text(line, COLUMN_workload, workload);
	set_signed(line, COLUMN_pid, call->pid);
	set_signed(line, COLUMN_tid, call->tid);
	set_signed(line, COLUMN_begin_ns, call->begin_ns);
	set_signed(line, COLUMN_total_ns, call->latency_ns);
	set_signed(line, COLUMN_lower_ns, call->lower_ns);
	set_signed(line, COLUMN_upper_ns, call->upper_ns);
}

static void append_detail(struct line *line, const struct itp_ranking *ranking,
			  const struct itp_ranked_path *path, GString *output)
{
	struct itp_path_detail detail;

	append_path(line, ranking, path, output);
	itp_path_detail_init(&detail, ranking, path);
	for (size_t i = 0; i < ITP_HISTOGRAM_BUCKETS; i++) {
		if (detail.suspect.stats.histogram[i] > 0 || detail.base.stats.histogram[i] > 0) {
			restart_detail(line, ranking, path->rank, &detail, "bucket");
			set_bucket(line, ranking, &detail, i);
			append_line(line, output);
		}
	}
	for (size_t i = 0; i < detail.suspect.slowest_count + detail.base.slowest_count; i++) {
		bool of_base = i >= detail.suspect.slowest_count;

		restart_detail(line, ranking, path->rank, &detail, "call");
		set_call(line, of_base ? "base" : "suspect",
			 of_base ? &detail.base.slowest[i - detail.suspect.slowest_count] :
				   &detail.suspect.slowest[i]);
		append_line(line, output);
	}
}

void itp_render_csv(const struct itp_ranking *ranking, const struct itp_render_options *options,
		    GString *output)
{
	struct line line = { .separator = options->separator ? options->separator : COMMA,
			     .has_latencies = true };

	for (size_t i = 0; i < COLUMN_COUNT; i++) {
		take(&line, (enum column)i, g_strdup(column_names[i]));
	}
	append_line(&line, output);
	for (size_t i = 0; i < COLUMN_COUNT; i++) {
		take(&line, (enum column)i, NULL);
	}
	line.has_latencies = itp_ranking_has_latencies(ranking);
	set_input(&line, ranking, options->incomplete);
	if (options->path > 0) {
		append_detail(&line, ranking, itp_path_at(ranking, options->path - 1), output);
		line_release(&line);
		return;
	}
	for (guint i = 0; i < ranking->paths->len; i++) {
		append_path(&line, ranking, itp_path_at(ranking, i), output);
	}
	for (guint i = 0; i < ranking->rows->len; i++) {
		append_row(&line, ranking, itp_row_at(ranking, i), output);
	}
	for (guint i = 0; ranking->held_up && i < ranking->held_up->rows->len; i++) {
		append_held(&line, ranking,
			    &g_array_index(ranking->held_up->rows, struct itp_held_row, i), output);
	}
	for (guint i = 0; i < ranking->idle->len; i++) {
		append_idle(&line, ranking, &g_array_index(ranking->idle, struct itp_idle_wait, i),
			    output);
	}
	if (ranking->paths->len + ranking->rows->len + ranking->idle->len == 0 &&
	    !(ranking->held_up && ranking->held_up->rows->len > 0)) {
		append_line(&line, output);
	}
	line_release(&line);
}
