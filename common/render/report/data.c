/* SPDX-License-Identifier: MIT */
/*
 * Data of the page, as a JSON object: the workloads with their notes, the ranked paths, and the
 * calling context tree (tree-data.h).
 */
#include "common/render/report/parts.h"

#include <string.h>

#include "common/render/json.h"
#include "common/render/report/tree-data.h"
#include "common/render/units.h"
#include "common/render/words.h"

#define SCHEMA 2
#define NS_PER_S INT64_C(1000000000)

/* ---- Paths ---- */

static json_t *variants_array(const struct itp_tree_data *table, const struct itp_ranked_path *path)
{
	json_t *array = json_array();

	for (uint32_t i = 0; i < path->variant_count; i++) {
		const struct itp_variant *variant = &path->variants[i];
		json_t *values = json_array();

		json_array_append_new(values, itp_tree_data_node(table, variant->node));
		json_array_append_new(values, json_integer(variant->suspect_ns));
		json_array_append_new(values, json_integer(variant->base_ns));
		json_array_append_new(array, values);
	}
	return array;
}

static json_t *wakers_array(struct itp_tree_data *table, const GArray *wakers)
{
	json_t *array = json_array();

	for (guint i = 0; i < wakers->len; i++) {
		const struct itp_waker *waker = &g_array_index(wakers, struct itp_waker, i);
		json_t *values = json_array();

		json_array_append_new(values,
				      json_integer(itp_tree_data_function(table, waker->process)));
		json_array_append_new(values, waker->function == ITP_FUNCTION_UNKNOWN ?
						      json_null() :
						      json_integer(itp_tree_data_function(
							      table, waker->function)));
		json_array_append_new(values, itp_json_unsigned(waker->count));
		json_array_append_new(values, json_integer(waker->blocked_ns));
		json_array_append_new(array, values);
	}
	return array;
}

/* Cells of the ranking in the terminal. */
static void set_cells(const struct itp_page *page, json_t *object,
		      const struct itp_ranked_path *path)
{
	const struct itp_ranking *ranking = page->ranking;
	const struct itp_cell_calls calls = itp_page_path_calls(ranking, path);
	bool is_new = path->variant_count > 0 ? path->base_calls == 0 :
						path->novelty == ITP_NOVELTY_NEW;
	g_autofree char *cost = ranking->base ? itp_cell_change(ranking, path->cost) :
						itp_cell_value(ranking, path->cost);
	g_autofree char *share = itp_cell_share(ranking, itp_path_own_delta_ns(path));
	g_autofree char *count = itp_cell_count(ranking, &calls);
	g_autofree char *each = itp_cell_each(ranking, &calls);
	g_autofree char *suspect = itp_cell_value(ranking, path->suspect_value);
	g_autofree char *base = itp_cell_value(ranking, path->base_value);

	itp_json_set_text(object, "cost", cost);
	itp_json_set_text(object, "share", share);
	itp_json_set_text(object, "suspect", suspect);
	itp_json_set_text(object, "base", base);
	if (itp_ranking_has_latencies(ranking)) {
		itp_json_set_text(object, "calls", count);
		itp_json_set_text(object, "each", each);
		itp_json_set_text(object, "why", itp_cell_why(ranking, &path->delta, is_new));
	}
}

static void set_notes(const struct itp_page *page, json_t *object,
		      const struct itp_ranked_path *path)
{
	struct itp_page lines = *page;
	g_autoptr(GString) text = g_string_new(NULL);

	lines.output = text;
	itp_page_append_path_notes(&lines, path);
	itp_json_set_text(object, "notes", g_strstrip(text->str));
}

/* Chain behind its slowest calls, as lines; null where unknown. */
static json_t *held_up_array(const struct itp_ranking *ranking, const struct itp_ranked_path *path)
{
	g_autoptr(GPtrArray) lines = NULL;
	struct itp_path_detail detail;
	json_t *array;

	itp_path_detail_init(&detail, ranking, path);
	lines = itp_page_chain_lines(ranking, &detail);
	if (!lines) {
		return json_null();
	}
	array = json_array();
	for (guint i = 0; i < lines->len; i++) {
		json_array_append_new(array, itp_json_text(g_ptr_array_index(lines, i)));
	}
	return array;
}

static json_t *path_object(const struct itp_page *page, struct itp_tree_data *table,
			   const struct itp_ranked_path *path)
{
	const struct itp_ranked_frame *face = itp_path_face(path);
	json_t *object = json_object();
	json_t *delta = json_array();

	itp_json_set_unsigned(object, "rank", path->rank);
	itp_json_set_signed(object, "cost_ns", path->cost);
	itp_json_set_signed(object, "suspect_ns", path->suspect_value);
	itp_json_set_signed(object, "base_ns", path->base_value);
	json_object_set_new_nocheck(object, "process",
				    json_integer(itp_tree_data_function(table, path->process)));
	json_object_set_new_nocheck(
		object, "leaf",
		path->frame_count == 0 ?
			json_null() :
			itp_tree_data_node(table, path->frames[path->frame_count - 1].node));
	json_object_set_new_nocheck(object, "face",
				    face ? itp_tree_data_node(table, face->node) : json_null());
	itp_json_set_bool(object, "has_culprit", path->culprit >= 0);
	json_array_append_new(delta, json_integer(path->delta.more_calls_ns));
	json_array_append_new(delta, json_integer(path->delta.slower_calls_ns));
	json_array_append_new(delta, json_integer(path->delta.use.cpu_ns));
	json_array_append_new(delta, json_integer(path->delta.use.blocked_ns));
	json_array_append_new(delta, json_integer(path->delta.use.runnable_ns));
	json_array_append_new(delta, json_integer(path->delta.unsplit_ns));
	json_object_set_new_nocheck(object, "delta", delta);
	itp_json_set_unsigned(object, "paths", path->path_count);
	itp_json_set_bool(object, "noise", itp_significance_is_chance(&path->significance));
	itp_json_set_text(object, "verdict", itp_verdict_names[path->significance.verdict]);
	itp_json_set_bool(object, "rare", path->is_rare);
	json_object_set_new_nocheck(object, "variants", variants_array(table, path));
	json_object_set_new_nocheck(object, "wakers",
				    wakers_array(table, path->waited_for[ITP_WAKER_WOKE]));
	set_cells(page, object, path);
	set_notes(page, object, path);
	json_object_set_new_nocheck(object, "held_up", held_up_array(page->ranking, path));
	return object;
}

static json_t *paths_array(const struct itp_page *page, struct itp_tree_data *table)
{
	json_t *array = json_array();

	for (guint i = 0; i < page->ranking->paths->len; i++) {
		json_array_append_new(array,
				      path_object(page, table, itp_path_at(page->ranking, i)));
	}
	return array;
}

static json_t *idle_array(struct itp_tree_data *table)
{
	json_t *array = json_array();

	for (guint i = 0; i < table->ranking->idle->len; i++) {
		const struct itp_idle_wait *wait =
			&g_array_index(table->ranking->idle, struct itp_idle_wait, i);
		json_t *values = json_array();

		json_array_append_new(values,
				      json_integer(itp_tree_data_function(table, wait->process)));
		json_array_append_new(values,
				      json_integer(itp_tree_data_function(table, wait->function)));
		json_array_append_new(values,
				      json_integer(itp_tree_data_function(table, wait->syscall)));
		json_array_append_new(values, json_integer(wait->suspect_ns));
		json_array_append_new(values, json_integer(wait->base_ns));
		json_array_append_new(array, values);
	}
	return array;
}

/* [[word, regular expression, meaning], …] */
static json_t *words_array(void)
{
	json_t *array = json_array();

	for (const struct itp_word *word = itp_words; word->word; word++) {
		json_t *values = json_array();

		json_array_append_new(values, itp_json_text(word->word));
		json_array_append_new(values, itp_json_text(word->pattern));
		json_array_append_new(values, itp_json_text(word->meaning));
		json_array_append_new(array, values);
	}
	return array;
}

/* ---- Workloads ---- */

/* Seconds and nanoseconds, as a JavaScript number holds no more than 53 bits. */
static json_t *instant_array(int64_t time_ns)
{
	int64_t fraction_ns = (time_ns % NS_PER_S + NS_PER_S) % NS_PER_S;
	json_t *array = json_array();

	json_array_append_new(array, json_integer((time_ns - fraction_ns) / NS_PER_S));
	json_array_append_new(array, json_integer(fraction_ns));
	return array;
}

/* When each recording was, by their numbers. */
static json_t *recordings_array(const struct itp_ranking *ranking, bool of_base, size_t runs)
{
	json_t *array = json_array();

	for (uint32_t i = 0; i < runs; i++) {
		json_t *object = json_object();
		struct itp_recording recording;

		itp_ranking_recording(ranking, of_base, i, &recording);
		json_object_set_new_nocheck(object, "name", itp_tree_data_name(recording.name));
		itp_json_set_signed(object, "length_ns",
				    itp_time_since_ns(recording.end_ns, recording.begin_ns));
		json_object_set_new_nocheck(
			object, "clock",
			instant_array(itp_time_recorded_ns(&recording.clock, recording.begin_ns)));
		json_object_set_new_nocheck(object, "day",
					    recording.clock.has_epoch ?
						    instant_array(recording.begin_ns) :
						    json_null());
		json_array_append_new(array, object);
	}
	return array;
}

static json_t *workload_object(const struct itp_ranking *ranking, bool of_base, const char *head)
{
	const struct itp_workload *workload =
		&(of_base ? ranking->base : ranking->suspect)->workload;
	size_t runs = of_base ? ranking->base_runs : ranking->suspect_runs;
	const struct itp_infer_counts *counts = &workload->counts;
	g_autofree char *completeness = itp_workload_completeness(workload);
	json_t *object = json_object();

	json_object_set_new_nocheck(object, "name", itp_tree_data_name(workload->name));
	itp_json_set_text(object, "head", head);
	json_object_set_new_nocheck(object, "recordings", recordings_array(ranking, of_base, runs));
	itp_json_set_unsigned(object, "threads", counts->threads);
	itp_json_set_unsigned(object, "stacks", counts->stacks);
	itp_json_set_unsigned(object, "broken_stacks", counts->broken_stacks);
	itp_json_set_text(object, "completeness", completeness);
	itp_json_set_bool(object, "complete", itp_workload_is_complete(workload));
	itp_json_set_bool(object, "has_ticks", itp_workload_has_ticks(workload));
	return object;
}

static void append_quality(const struct itp_page *page)
{
	itp_page_append_quality(page, false);
}

static void append_quality_incomplete(const struct itp_page *page)
{
	itp_page_append_quality(page, true);
}

static void set_page_text(const struct itp_page *page, json_t *object, const char *key,
			  void (*append)(const struct itp_page *page))
{
	g_autofree char *text = itp_report_text(page, append);

	itp_json_set_text(object, key, text);
}

static json_t *head_object(const struct itp_page *page, bool incomplete)
{
	const struct itp_ranking *ranking = page->ranking;
	json_t *object = json_object();

	itp_json_set_signed(object, "schema", SCHEMA);
	json_object_set_new_nocheck(object, "suspect",
				    workload_object(ranking, false, page->labels.suspect_head));
	json_object_set_new_nocheck(object, "base",
				    ranking->base ?
					    workload_object(ranking, true, page->labels.base_head) :
					    json_null());
	itp_json_set_bool(object, "incomplete", incomplete);
	itp_json_set_bool(object, "judged", itp_ranking_is_judged(ranking));
	itp_json_set_bool(object, "has_latencies", itp_ranking_has_latencies(ranking));
	itp_json_set_signed(object, "suspect_own_ns", ranking->suspect_own_ns);
	itp_json_set_signed(object, "base_own_ns", ranking->base_own_ns);
	itp_json_set_unsigned(object, "entries", ranking->entry_count);
	itp_json_set_unsigned(object, "significant", ranking->significant_count);
	set_page_text(page, object, "summary", itp_page_append_answer);
	set_page_text(page, object, "doubts", itp_page_append_doubts);
	set_page_text(page, object, "quality",
		      incomplete ? append_quality_incomplete : append_quality);
	return object;
}

char *itp_report_data(const struct itp_page *page, bool incomplete, struct itp_tree_texts *tree)
{
	json_t *object = head_object(page, incomplete);
	struct itp_tree_data table;
	char *text;

	itp_tree_data_init(&table, page->ranking);
	itp_tree_data_append_nodes(&table, tree->nodes);
	itp_tree_data_append_stats(&table, tree->ranked, tree->others);
	json_object_set_new_nocheck(object, "paths", paths_array(page, &table));
	json_object_set_new_nocheck(object, "idle", idle_array(&table));
	itp_json_set_text(object, "idle_guess",
			  table.ranking->guesses_idle ? ITP_IDLE_IS_GUESSED : "");
	json_object_set_new_nocheck(object, "words", words_array());
	json_object_set_new_nocheck(object, "lives", itp_report_lives(&table));
	json_object_set_new_nocheck(object, "units", itp_report_units(page->ranking));
	json_object_set_nocheck(object, "functions", table.function_array);
	json_object_set_nocheck(object, "modules", table.module_array);
	text = itp_json_dump(object, JSON_COMPACT);
	json_decref(object);
	itp_tree_data_release(&table);
	return text;
}
