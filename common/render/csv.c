/* SPDX-License-Identifier: MIT */
/*
 * A ranking as comma-separated values (RFC 4180, lines end with CR LF): one line of names, then
 * one line for each frame of each path, root first. What belongs to the path or to the whole
 * input is repeated on each line, so that no line is read without knowing how complete its input
 * was; a ranking without paths has one line with only that filled in.
 */
#include "common/render/formats.h"

#include <inttypes.h>
#include <string.h>

#include "common/render/workload.h"

#define LINE_END "\r\n"

static const char input_names[] =
	"schema,base,suspect,metric,method,unit,complete,lost_events,broken_stacks";

/* What a ranking without paths leaves empty. */
static const char path_names[] =
	",rank,cost,base_value,suspect_value,process,new,"
	"more_calls_ns,slower_calls_ns,delta_cpu_ns,delta_blocked_ns,delta_runnable_ns,"
	"frame,function,module,culprit,frame_rank,frame_value,frame_base_value,"
	"count,total_ns,own_ns,min_ns,max_ns,lower_ns,upper_ns,cpu_ns,blocked_ns,runnable_ns,"
	"own_cpu_ns,own_blocked_ns,own_runnable_ns,lost_count,"
	"base_count,base_total_ns,base_own_ns";

/* Of the input again: what was added later comes last. */
static const char more_input_names[] = ",deep_stacks,unwind_failures,calls,unnamed_calls";

static void append_text(GString *output, const char *text)
{
	g_autofree char *valid = g_utf8_make_valid(text, -1);

	if (strpbrk(valid, ",\"\r\n") == NULL) {
		g_string_append(output, valid);
		return;
	}
	g_string_append_c(output, '"');
	for (const char *at = valid; *at != '\0'; at++) {
		g_string_append_len(output, "\"\"", *at == '"' ? 2 : 0);
		g_string_append_len(output, at, *at == '"' ? 0 : 1);
	}
	g_string_append_c(output, '"');
}

/* Each of these appends a separator and a value. */

static void next_text(GString *output, const char *text)
{
	g_string_append_c(output, ',');
	append_text(output, text);
}

static void next_signed(GString *output, int64_t value)
{
	g_string_append_printf(output, ",%" PRId64, value);
}

static void next_unsigned(GString *output, uint64_t value)
{
	g_string_append_printf(output, ",%" PRIu64, value);
}

static void next_bool(GString *output, bool value)
{
	g_string_append(output, value ? ",true" : ",false");
}

static void append_input(const struct itp_ranking *ranking, bool incomplete, GString *output)
{
	const struct itp_workload *suspect = &ranking->suspect->workload;
	const struct itp_workload *base = ranking->base == NULL ? NULL : &ranking->base->workload;

	g_string_append_printf(output, "%d", ITP_RENDER_SCHEMA);
	next_text(output, base == NULL ? "" : base->name);
	next_text(output, suspect->name);
	next_text(output, itp_metric_names[ranking->options.metric]);
	next_text(output, itp_method_names[ranking->options.method]);
	next_text(output, ranking->options.metric == ITP_METRIC_COUNT ? "calls" : "ns");
	next_bool(output, itp_ranking_is_complete(ranking, incomplete));
	next_unsigned(output,
		      suspect->counts.lost_events + (base == NULL ? 0 : base->counts.lost_events));
	next_unsigned(output, suspect->counts.broken_stacks +
				      (base == NULL ? 0 : base->counts.broken_stacks));
}

static void append_more_input(const struct itp_ranking *ranking, GString *output)
{
	static const struct itp_infer_counts none;
	const struct itp_infer_counts *suspect = &ranking->suspect->workload.counts;
	const struct itp_infer_counts *base =
		ranking->base == NULL ? &none : &ranking->base->workload.counts;

	next_unsigned(output, suspect->deep_stacks + base->deep_stacks);
	next_unsigned(output, suspect->unwind_failures + base->unwind_failures);
	next_unsigned(output, ranking->suspect_calls.calls + ranking->base_calls.calls);
	next_unsigned(output, ranking->suspect_calls.unnamed + ranking->base_calls.unnamed);
	g_string_append(output, LINE_END);
}

static void append_path(const struct itp_ranking *ranking, const struct itp_ranked_path *path,
			GString *output)
{
	next_unsigned(output, path->rank);
	next_signed(output, path->cost);
	next_signed(output, path->base_value);
	next_signed(output, path->suspect_value);
	next_text(output, itp_function_table_get(ranking->functions, path->process)->name);
	next_bool(output, path->novelty == ITP_NOVELTY_NEW);
	next_signed(output, path->delta.more_calls_ns);
	next_signed(output, path->delta.slower_calls_ns);
	next_signed(output, path->delta.use.cpu_ns);
	next_signed(output, path->delta.use.blocked_ns);
	next_signed(output, path->delta.use.runnable_ns);
}

static void append_use(const struct itp_time_use *use, GString *output)
{
	next_signed(output, use->cpu_ns);
	next_signed(output, use->blocked_ns);
	next_signed(output, use->runnable_ns);
}

static void append_stats(const struct itp_node_stats *stats, GString *output)
{
	next_unsigned(output, stats->count);
	next_signed(output, stats->total_ns);
	next_signed(output, stats->own_ns);
	next_signed(output, stats->count == 0 ? 0 : stats->min_ns);
	next_signed(output, stats->max_ns);
	next_signed(output, stats->lower_ns);
	next_signed(output, stats->upper_ns);
	append_use(&stats->use, output);
	append_use(&stats->own_use, output);
	next_unsigned(output, stats->lost_count);
}

static void append_frame(const struct itp_ranking *ranking, const struct itp_ranked_path *path,
			 uint32_t index, GString *output)
{
	const struct itp_ranked_frame *frame = &path->frames[index];
	const struct itp_function *function =
		itp_function_table_get(ranking->functions, frame->function);

	next_unsigned(output, index);
	next_text(output, function->name);
	next_text(output, function->module);
	next_bool(output, path->culprit == (int32_t)index);
	next_unsigned(output, frame->rank);
	next_signed(output, frame->value);
	next_signed(output, frame->base_value);
	append_stats(frame->suspect, output);
	if (frame->base == NULL) {
		g_string_append(output, ",,,");
		return;
	}
	next_unsigned(output, frame->base->count);
	next_signed(output, frame->base->total_ns);
	next_signed(output, frame->base->own_ns);
}

void itp_render_csv(const struct itp_ranking *ranking, const struct itp_render_options *options,
		    GString *output)
{
	g_string_append(output, input_names);
	g_string_append(output, path_names);
	g_string_append(output, more_input_names);
	g_string_append(output, LINE_END);
	for (guint i = 0; i < ranking->paths->len; i++) {
		const struct itp_ranked_path *path = itp_path_at(ranking, i);

		for (uint32_t frame = 0; frame < path->frame_count; frame++) {
			append_input(ranking, options->incomplete, output);
			append_path(ranking, path, output);
			append_frame(ranking, path, frame, output);
			append_more_input(ranking, output);
		}
	}
	if (ranking->paths->len == 0) {
		append_input(ranking, options->incomplete, output);
		for (const char *at = path_names; *at != '\0'; at++) {
			g_string_append_len(output, at, *at == ',' ? 1 : 0);
		}
		append_more_input(ranking, output);
	}
}
