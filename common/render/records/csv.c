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
 * Columns are those of the tables in fields.h, one column for all records that have it.
 */
#include "common/render/records/records.h"

#include <inttypes.h>
#include <string.h>

#include "common/base/labels.h"
#include "common/render/entries.h"
#include "common/render/records/fields.h"
#include "common/render/unwatched.h"

#define LINE_END "\r\n"
#define COMMA ','

/* Columns in the order in which they came; columns of the tables that are not here come last. */
static const char known_columns[] =
	"schema,base,suspect,metric,method,unit,complete,lost_events,broken_stacks,rank,"
	"cost,base_value,suspect_value,process,new,more_calls_ns,slower_calls_ns,"
	"delta_cpu_ns,delta_blocked_ns,delta_runnable_ns,frame,function,module,culprit,"
	"frame_rank,frame_value,frame_base_value,count,total_ns,own_ns,min_ns,max_ns,"
	"lower_ns,upper_ns,cpu_ns,blocked_ns,runnable_ns,own_cpu_ns,own_blocked_ns,"
	"own_runnable_ns,lost_count,base_count,base_total_ns,base_own_ns,deep_stacks,"
	"unwind_failures,calls,unnamed_calls,type,per,suspect_units,base_units,"
	"suspect_runs,base_runs,doubts,novelty,moved_from,path_cost,paths,variants,"
	"culprit_calls,base_culprit_calls,kind,cost_module,cost_kind,blocked_in,effect,"
	"score,noise,rare,max_count,base_max_count,base_own_cpu_ns,base_own_blocked_ns,"
	"base_own_runnable_ns,waker_process,waker_function,waker_blocked_ns,workload,pid,"
	"tid,begin_ns,doubt,probability,measurement_ns,runs_ns,spread,samples,"
	"base_samples,waits,base_waits,called_otherwise,unsplit_ns,"
	"culprit_possible_calls,base_culprit_possible_calls,possible_count,"
	"base_possible_count,ranked_value,share,own_samples,own_deviation_ns,"
	"base_own_samples,base_own_deviation_ns,verdict,never_taken";

const struct itp_field_table *const itp_field_tables[] = {
	&itp_header_table, &itp_summary_table, &itp_path_table, &itp_delta_table,
	&itp_doubt_table,  &itp_frame_table,   &itp_row_table,  &itp_idle_table,
	&itp_held_table,   &itp_detail_table,  &itp_call_table, NULL,
};

struct csv {
	/* Names, in their order. Owned by this. */
	GPtrArray *columns;
	char separator;
	/* Columns that exist only with latencies are not empty. */
	bool has_latencies;
	/* Records of the whole input. Owned by this. */
	json_t *header;
	json_t *summary;
	/* Weak. */
	GString *output;
};

static bool has_column(const struct csv *csv, const char *name)
{
	return g_ptr_array_find_with_equal_func(csv->columns, name, g_str_equal, NULL);
}

static void csv_init_columns(struct csv *csv)
{
	g_auto(GStrv) known = g_strsplit(known_columns, ",", -1);

	csv->columns = g_ptr_array_new_with_free_func(g_free);
	for (char **name = known; *name; name++) {
		g_ptr_array_add(csv->columns, g_strdup(*name));
	}
	for (size_t i = 0; itp_field_tables[i]; i++) {
		for (size_t k = 0; k < itp_field_tables[i]->count; k++) {
			const char *name = itp_field_tables[i]->fields[k].column;

			if (name && !has_column(csv, name)) {
				g_ptr_array_add(csv->columns, g_strdup(name));
			}
		}
	}
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

/* Cell of a text. Owned by the caller. */
static char *text_cell(const char *text, char separator)
{
	g_autofree char *clean = itp_label_clean_text(text);
	g_autofree char *plain = g_strconcat(is_formula(clean) ? "'" : "", clean, NULL);
	g_auto(GStrv) parts = NULL;
	g_autofree char *doubled = NULL;

	if (separator != COMMA) {
		return without_separator(g_steal_pointer(&plain), separator);
	}
	if (strpbrk(plain, ",\"") == NULL) {
		return g_steal_pointer(&plain);
	}
	parts = g_strsplit(plain, "\"", -1);
	doubled = g_strjoinv("\"\"", parts);
	return g_strdup_printf("\"%s\"", doubled);
}

/* Cell of a value, which is NULL for none. */
static void append_value(const json_t *value, char separator, GString *output)
{
	char digits[G_ASCII_DTOSTR_BUF_SIZE];
	g_autofree char *text = NULL;

	if (json_is_string(value)) {
		text = text_cell(json_string_value(value), separator);
		g_string_append(output, text);
	} else if (json_is_integer(value)) {
		g_string_append_printf(output, "%" JSON_INTEGER_FORMAT, json_integer_value(value));
	} else if (json_is_real(value)) {
		g_string_append(output, g_ascii_formatd(digits, sizeof(digits), "%.6g",
							json_real_value(value)));
	} else if (json_is_boolean(value)) {
		g_string_append(output, json_is_true(value) ? "true" : "false");
	}
}

static void append_line_end(const struct csv *csv)
{
	g_string_append(csv->output, csv->separator == COMMA ? LINE_END : "\n");
}

static void append_names(const struct csv *csv)
{
	for (guint i = 0; i < csv->columns->len; i++) {
		if (i > 0) {
			g_string_append_c(csv->output, csv->separator);
		}
		g_string_append(csv->output, g_ptr_array_index(csv->columns, i));
	}
	append_line_end(csv);
}

/* Line of an entry, and of a part of it; either may be NULL. */
static void append_csv_line(const struct csv *csv, const json_t *entry, const json_t *part)
{
	const json_t *const records[] = { part, entry, csv->header, csv->summary };

	for (guint i = 0; i < csv->columns->len; i++) {
		const char *name = g_ptr_array_index(csv->columns, i);
		const json_t *value = NULL;

		for (size_t k = 0; k < G_N_ELEMENTS(records) && !value; k++) {
			value = json_object_get(records[k], name);
		}
		if (i > 0) {
			g_string_append_c(csv->output, csv->separator);
		}
		if (csv->has_latencies || !itp_unwatched_lacks(name)) {
			append_value(value, csv->separator, csv->output);
		}
	}
	append_line_end(csv);
}

/* Takes the reference of `part`. */
static void append_part_line(const struct csv *csv, const json_t *entry, json_t *part)
{
	append_csv_line(csv, entry, part);
	json_decref(part);
}

static void append_path(const struct csv *csv, const struct itp_ranking *ranking,
			const struct itp_ranked_path *path)
{
	json_t *entry = itp_path_record(ranking, path, ITP_LAYOUT_CSV);

	for (uint32_t i = 0; i < path->frame_count; i++) {
		append_part_line(csv, entry,
				 itp_frame_record(ranking, path, &path->frames[i], ITP_LAYOUT_CSV));
	}
	json_decref(entry);
}

/* ---- A path from nearby ---- */

/* Latencies from min_ns up to below max_ns, missing for the last bucket. Elements of `histogram` in
 * JSON lines. */
static json_t *bucket_record(const struct itp_ranking *ranking,
			     const struct itp_path_detail *detail, size_t bucket)
{
	json_t *object = json_object();

	itp_json_set_text(object, "type", "bucket");
	itp_json_set_signed(object, "min_ns", itp_bucket_begin_ns(bucket));
	if (bucket + 1 < ITP_HISTOGRAM_BUCKETS) {
		itp_json_set_signed(object, "max_ns", itp_bucket_begin_ns(bucket + 1));
	}
	itp_json_set_unsigned(object, "count", detail->suspect.stats.histogram[bucket]);
	if (ranking->base != NULL) {
		itp_json_set_unsigned(object, "base_count", detail->base.stats.histogram[bucket]);
	}
	return object;
}

static void append_calls(const struct csv *csv, const struct itp_ranking *ranking,
			 const struct itp_ranked_path *path, bool of_base,
			 const struct itp_call_detail *calls, const json_t *entry)
{
	for (size_t i = 0; i < calls->slowest_count; i++) {
		append_part_line(csv, entry,
				 itp_call_record(ranking, path, of_base, &calls->slowest[i],
						 ITP_LAYOUT_CSV));
	}
}

static void append_detail(const struct csv *csv, const struct itp_ranking *ranking,
			  const struct itp_ranked_path *path)
{
	struct itp_path_detail detail;
	json_t *entry;

	append_path(csv, ranking, path);
	itp_path_detail_init(&detail, ranking, path);
	entry = itp_detail_record(ranking, path, &detail, ITP_LAYOUT_CSV);
	for (size_t i = 0; i < ITP_HISTOGRAM_BUCKETS; i++) {
		if (detail.suspect.stats.histogram[i] > 0 || detail.base.stats.histogram[i] > 0) {
			append_part_line(csv, entry, bucket_record(ranking, &detail, i));
		}
	}
	append_calls(csv, ranking, path, false, &detail.suspect, entry);
	append_calls(csv, ranking, path, true, &detail.base, entry);
	json_decref(entry);
}

static void append_entries(const struct csv *csv, const struct itp_ranking *ranking)
{
	const GArray *held = ranking->held_up ? ranking->held_up->rows : NULL;

	for (guint i = 0; i < ranking->paths->len; i++) {
		append_path(csv, ranking, itp_path_at(ranking, i));
	}
	for (guint i = 0; i < ranking->rows->len; i++) {
		append_part_line(csv, NULL,
				 itp_row_record(ranking, itp_row_at(ranking, i), ITP_LAYOUT_CSV));
	}
	for (guint i = 0; held && i < held->len; i++) {
		append_part_line(csv, NULL,
				 itp_held_record(ranking,
						 &g_array_index(held, struct itp_held_row, i),
						 ITP_LAYOUT_CSV));
	}
	for (guint i = 0; i < ranking->idle->len; i++) {
		append_part_line(csv, NULL,
				 itp_idle_record(ranking, itp_idle_at(ranking, i), ITP_LAYOUT_CSV));
	}
	if (ranking->paths->len + ranking->rows->len + ranking->idle->len == 0 &&
	    !(held && held->len > 0)) {
		append_csv_line(csv, NULL, NULL);
	}
}

void itp_render_csv(const struct itp_ranking *ranking, const struct itp_render_options *options,
		    GString *output)
{
	struct csv csv = {
		.separator = options->separator ? options->separator : COMMA,
		.has_latencies = itp_ranking_has_latencies(ranking),
		.header = itp_header_record(ranking, options, ITP_LAYOUT_CSV),
		.summary = itp_summary_record(ranking, options, ITP_LAYOUT_CSV),
		.output = output,
	};

	csv_init_columns(&csv);
	append_names(&csv);
	if (options->path > 0) {
		append_detail(&csv, ranking, itp_path_at(ranking, options->path - 1));
	} else {
		append_entries(&csv, ranking);
	}
	json_decref(csv.header);
	json_decref(csv.summary);
	g_ptr_array_unref(csv.columns);
}
