/* SPDX-License-Identifier: MIT */
/*
 * The table of a ranking: one row for each path with its cost, what became of the calls of its
 * culprit (or, without one, of its hottest frame) and the largest part of the cost in a word.
 * Paths that are the same down to the culprit share the row of the most expensive one.
 * Column widths come from table.c, the lines under a row from path-line.c.
 */
#include "common/render/path-table.h"

#include "common/render/formats.h"
#include "common/render/labels.h"
#include "common/render/path-line.h"
#include "common/render/table.h"
#include "common/render/units.h"
#include "common/render/variants.h"

/* Of the paths that are the same down to the culprit, so many are named. */
#define VARIANTS_SHOWN 5
#define VARIANTS_INDENT 6

int64_t itp_path_own_delta_ns(const struct itp_ranked_path *path)
{
	return path->delta.more_calls_ns + path->delta.slower_calls_ns;
}

static char *value_text(const struct itp_ranking *ranking, int64_t value)
{
	if (ranking->options.metric == ITP_METRIC_COUNT) {
		return value < 0 ? itp_units_count_change(value) : itp_units_count((uint64_t)value);
	}
	return itp_units_time(value);
}

static char *change_text(const struct itp_ranking *ranking, int64_t change)
{
	if (ranking->options.metric == ITP_METRIC_COUNT) {
		return itp_units_count_change(change);
	}
	return itp_units_time_change(change);
}

static double mean_ns(const struct itp_node_stats *stats)
{
	return (double)stats->total_ns / (double)stats->count;
}

/* Calls of the frame that stands for the path: how many, or how many more. */
static char *calls_text(const struct itp_ranked_frame *frame)
{
	if (frame->base == NULL) {
		return itp_units_count(frame->suspect->count);
	}
	if (frame->base->count == 0) {
		return g_strdup(frame->suspect->count == 0 ? "\u2013" : "new");
	}
	if (frame->suspect->count == 0) {
		return g_strdup("gone");
	}
	return itp_units_ratio((double)frame->suspect->count, (double)frame->base->count);
}

/* Latency of one of these calls, or by how much it grew. */
static char *each_text(const struct itp_ranked_frame *frame)
{
	if (frame->suspect->count == 0) {
		return g_strdup("\u2013");
	}
	if (frame->base == NULL || frame->base->count == 0 || frame->base->total_ns <= 0) {
		return itp_units_time(frame->suspect->total_ns / (int64_t)frame->suspect->count);
	}
	return itp_units_ratio(mean_ns(frame->suspect), mean_ns(frame->base));
}

/* The largest part of what a path costs, in a word. */
static const char *why_text(const struct itp_ranking *ranking, const struct itp_ranked_path *path)
{
	const struct itp_delta *delta = &path->delta;
	int64_t all_ns = itp_path_own_delta_ns(path);
	int64_t direction = all_ns < 0 ? -1 : 1;
	int64_t known_ns = delta->use.cpu_ns + delta->use.blocked_ns + delta->use.runnable_ns;
	int64_t largest_ns = direction * (all_ns - known_ns);
	const char *why = "unknown";
	const struct {
		const char *word;
		int64_t part_ns;
	} uses[] = {
		{ "CPU", direction * delta->use.cpu_ns },
		{ "blocked", direction * delta->use.blocked_ns },
		{ "waiting", direction * delta->use.runnable_ns },
	};

	if (ranking->base != NULL && path->novelty != ITP_NOVELTY_NEW &&
	    direction * delta->more_calls_ns > direction * delta->slower_calls_ns) {
		return direction > 0 ? "more calls" : "fewer calls";
	}
	for (size_t i = 0; i < G_N_ELEMENTS(uses); i++) {
		if (uses[i].part_ns > 0 && uses[i].part_ns >= largest_ns) {
			largest_ns = uses[i].part_ns;
			why = uses[i].word;
		}
	}
	return all_ns == 0 ? "\u2013" : why;
}

static void add_columns(const struct itp_ranking *ranking, const struct itp_workload_labels *labels,
			struct itp_table *table)
{
	static const char *const sums[] = { "own", "\u03a3 total", "\u03a3 calls", "\u03a3 each" };
	static const char *const changes[] = { "\u0394 own", "\u0394 total", "\u0394 calls",
					       "\u0394 each" };
	enum itp_metric metric = ranking->options.metric;

	itp_table_column(table, "#", true);
	if (ranking->base != NULL) {
		itp_table_column(table, changes[metric], true);
		itp_table_column(table, labels->base_head, true);
		itp_table_column(table, labels->suspect_head, true);
	} else {
		itp_table_column(table, sums[metric], true);
		itp_table_column(table, "share", true);
	}
	itp_table_column(table, "calls", true);
	itp_table_column(table, "each", true);
	itp_table_column(table, "why", false);
	itp_table_column(table, "where", false);
}

static void add_row(const struct itp_ranking *ranking, const struct itp_ranked_path *path,
		    struct itp_table *table)
{
	const struct itp_ranked_frame *face = itp_path_face(path);
	uint32_t function = face == NULL ? path->process : face->function;

	itp_table_take(table, g_strdup_printf("%u", path->rank));
	if (ranking->base != NULL) {
		itp_table_take(table, change_text(ranking, path->cost));
		itp_table_take(table, value_text(ranking, path->base_value));
		itp_table_take(table, value_text(ranking, path->suspect_value));
	} else {
		itp_table_take(table, value_text(ranking, path->cost));
		itp_table_take(table, itp_units_share((double)itp_path_own_delta_ns(path),
						      (double)ranking->suspect_own_ns));
	}
	itp_table_take(table, face == NULL ? g_strdup("\u2013") : calls_text(face));
	itp_table_take(table, face == NULL ? g_strdup("\u2013") : each_text(face));
	itp_table_take(table, g_strdup(why_text(ranking, path)));
	itp_table_take(table,
		       itp_label_clean(itp_function_table_get(ranking->functions, function)->name));
}

/* Appends what there is to say about paths that part from the first one below its culprit. */
static void append_variants(const struct itp_ranking *ranking, const GArray *indices,
			    unsigned int width, GString *output)
{
	GString *text = g_string_new(indices->len == 2 ? "the same down to the culprit: path" :
							 "the same down to the culprit: paths");

	if (indices->len > 1) {
		for (guint i = 1; i < MIN(indices->len, VARIANTS_SHOWN + 1); i++) {
			const struct itp_ranked_path *path =
				itp_path_at(ranking, g_array_index(indices, uint32_t, i));
			g_autofree char *cost = ranking->base == NULL ?
							value_text(ranking, path->cost) :
							change_text(ranking, path->cost);
			g_autofree char *item =
				itp_label_unbroken(g_strdup_printf("%u (%s)", path->rank, cost));

			g_string_append_printf(text, "%s %s", i == 1 ? "" : ",", item);
		}
		if (indices->len > VARIANTS_SHOWN + 1) {
			g_string_append_printf(text, " and %u more",
					       indices->len - VARIANTS_SHOWN - 1);
		}
		itp_label_pad(output, VARIANTS_INDENT);
		itp_label_wrap(output, text->str, VARIANTS_INDENT, VARIANTS_INDENT + 2, width);
	}
	g_string_free(text, TRUE);
}

static const struct itp_ranked_path *first_of(const struct itp_ranking *ranking,
					      const GPtrArray *variants, guint row)
{
	const GArray *indices = g_ptr_array_index(variants, row);

	return itp_path_at(ranking, g_array_index(indices, uint32_t, 0));
}

void itp_path_table_append(const struct itp_ranking *ranking,
			   const struct itp_workload_labels *labels, unsigned int width,
			   GString *output)
{
	struct itp_table *table = itp_table_new(width);
	GPtrArray *variants = itp_variants_new(ranking);

	add_columns(ranking, labels, table);
	for (guint i = 0; i < variants->len; i++) {
		add_row(ranking, first_of(ranking, variants, i), table);
	}
	g_string_append_c(output, '\n');
	itp_table_append_heads(table, output);
	for (guint i = 0; i < variants->len; i++) {
		itp_table_append_row(table, i, output);
		itp_path_line_append(ranking, first_of(ranking, variants, i), width, output);
		append_variants(ranking, g_ptr_array_index(variants, i), width, output);
	}
	g_string_append_c(output, '\n');
	g_ptr_array_unref(variants);
	itp_table_free(table);
}
