/* SPDX-License-Identifier: MIT */
/*
 * A ranking as JSON lines: a header, an object for each path, a summary; or of a single path its
 * object and its detail. Keys fixed by the design come first and in its order; readers must ignore
 * unknown keys.
 */
#include "common/render/records/records.h"

#include "common/render/entries.h"
#include "common/render/records/fields.h"
#include "common/render/records/json-held.h"
#include "common/render/unwatched.h"

#define REAL_DIGITS 6

/* Makes numbers in `value` and all its members null if they need latencies. */
static void leave_out_latencies(json_t *value)
{
	const char *key;
	json_t *member;
	size_t i;

	json_object_foreach(value, key, member)
	{
		if (itp_unwatched_lacks(key)) {
			itp_json_set_null(value, key);
		} else {
			leave_out_latencies(member);
		}
	}
	json_array_foreach(value, i, member)
	{
		leave_out_latencies(member);
	}
}

/* Appends `object` as a line and gives it up. */
static void append_json_line(const struct itp_ranking *ranking, GString *output, json_t *object)
{
	if (!itp_ranking_has_latencies(ranking)) {
		leave_out_latencies(object);
	}
	itp_json_append_line(output, object, JSON_REAL_PRECISION(REAL_DIGITS));
}

/* Edges are as many as other rows. */
static void append_held(const struct itp_ranking *ranking, GString *output)
{
	const struct itp_held_up *held_up = ranking->held_up;
	size_t top = ranking->options.top;

	for (guint i = 0; i < held_up->rows->len; i++) {
		append_json_line(
			ranking, output,
			itp_held_record(ranking,
					&g_array_index(held_up->rows, struct itp_held_row, i),
					ITP_LAYOUT_JSON));
	}
	for (guint i = 0; i < held_up->knots->len; i++) {
		append_json_line(ranking, output, itp_json_held_knot(ranking, i));
	}
	for (guint i = 0; i < held_up->edges->len && (top == 0 || i < top); i++) {
		append_json_line(
			ranking, output,
			itp_json_held_edge(ranking,
					   &g_array_index(held_up->edges, struct itp_wait_for, i)));
	}
}

static void append_path(const struct itp_ranking *ranking, size_t index, GString *output)
{
	append_json_line(ranking, output,
			 itp_path_record(ranking, itp_path_at(ranking, index), ITP_LAYOUT_JSON));
}

static void append_detail(const struct itp_ranking *ranking, size_t index, GString *output)
{
	const struct itp_ranked_path *path = itp_path_at(ranking, index);
	struct itp_path_detail detail;

	append_path(ranking, index, output);
	itp_path_detail_init(&detail, ranking, path);
	append_json_line(ranking, output,
			 itp_detail_record(ranking, path, &detail, ITP_LAYOUT_JSON));
}

static void append_entries(const struct itp_ranking *ranking, GString *output)
{
	for (guint i = 0; i < ranking->paths->len; i++) {
		append_path(ranking, i, output);
	}
	for (guint i = 0; i < ranking->rows->len; i++) {
		append_json_line(ranking, output,
				 itp_row_record(ranking, itp_row_at(ranking, i), ITP_LAYOUT_JSON));
	}
	if (ranking->held_up) {
		append_held(ranking, output);
	}
	for (guint i = 0; i < ranking->idle->len; i++) {
		append_json_line(
			ranking, output,
			itp_idle_record(ranking, itp_idle_at(ranking, i), ITP_LAYOUT_JSON));
	}
}

void itp_render_jsonl(const struct itp_ranking *ranking, const struct itp_render_options *options,
		      GString *output)
{
	append_json_line(ranking, output, itp_header_record(ranking, options, ITP_LAYOUT_JSON));
	if (options->path > 0) {
		append_detail(ranking, options->path - 1, output);
	} else {
		append_entries(ranking, output);
		g_string_append(output, options->more ? options->more : "");
	}
	append_json_line(ranking, output, itp_summary_record(ranking, options, ITP_LAYOUT_JSON));
}
