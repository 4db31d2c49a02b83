/* SPDX-License-Identifier: MIT */
/*
 * See mining.h: JSON lines.
 */
#include "common/render/json.h"
#include "common/render/mining/mining.h"
#include "common/render/records/json-detail.h"

/* Changes when a reader would have to. */
#define SCHEMA 1

/* "libc.so.6!read" for each. */
static json_t *functions_array(const struct itp_mining *mining, const uint32_t *functions,
			       size_t count)
{
	json_t *array = json_array();

	for (size_t i = 0; i < count; i++) {
		const struct itp_function *function =
			itp_function_table_get(mining->functions, functions[i]);
		g_autofree char *name = g_strdup_printf("%s!%s", function->module, function->name);

		json_array_append_new(array, itp_json_text(name));
	}
	return array;
}

/* Symptoms looked for, and their numbers of traces. */
static json_t *searches_array(const GArray *symptoms)
{
	json_t *array = json_array();

	for (guint i = 0; i < symptoms->len; i++) {
		const struct itp_mined_symptom *of =
			&g_array_index(symptoms, struct itp_mined_symptom, i);
		json_t *object = json_object();

		json_object_set_new_nocheck(object, "symptom",
					    of->symptom ? itp_json_text(of->symptom) : json_null());
		itp_json_set_unsigned(object, "traces", of->traces);
		json_array_append_new(array, object);
	}
	return array;
}

static void append_header(const struct itp_mining_page *page, GString *output)
{
	const struct itp_mined_trace sum = itp_mining_sum(page->mining->traces);
	g_autoptr(GArray) symptoms = itp_mining_symptoms(page->mining);
	const struct itp_mined_symptom *first =
		&g_array_index(symptoms, struct itp_mined_symptom, 0);
	json_t *object = json_object();

	itp_json_set_text(object, "type", "header");
	itp_json_set_unsigned(object, "schema", SCHEMA);
	if (symptoms->len == 1 && first->symptom) {
		itp_json_set_text(object, "symptom", first->symptom);
	} else {
		itp_json_set_null(object, "symptom");
	}
	json_object_set_new_nocheck(object, "searches", searches_array(symptoms));
	itp_json_set_unsigned(object, "traces", page->mining->traces->len);
	itp_json_set_unsigned(object, "base_traces", page->mining->base_traces->len);
	itp_json_set_unsigned(object, "symptoms", sum.symptoms);
	itp_json_set_unsigned(object, "calls", sum.calls);
	itp_json_set_unsigned(object, "left_out", sum.left_out);
	itp_json_set_signed(object, "cost_ns", sum.cost_ns);
	itp_json_append_line(output, object, 0);
}

void itp_render_mining_symptom(const char *path, const struct itp_symptom *symptom,
			       const GArray *steps, GString *each)
{
	json_t *object = json_object();

	itp_json_set_text(object, "type", "symptom");
	itp_json_set_text(object, "trace", path);
	itp_json_set_signed(object, "tid", symptom->tid);
	itp_json_set_signed(object, "begin_ns", symptom->begin_ns);
	itp_json_set_signed(object, "cost_ns", symptom->end_ns - symptom->begin_ns);
	json_object_set_new_nocheck(object, "held_up_by", itp_json_chain(steps));
	itp_json_append_line(each, object, 0);
}

static void append_signature(const struct itp_mining_page *page, guint i, GString *output)
{
	const struct itp_signature *signature =
		&g_array_index(page->signatures, struct itp_signature, i);
	const struct itp_signature_match *match =
		&g_array_index(page->matches, struct itp_signature_match, i);
	json_t *object = json_object();
	json_t *traces = json_array();

	itp_json_set_text(object, "type", "signature");
	itp_json_set_text(object, "name", signature->name);
	itp_json_set_text(object, "kind", itp_mine_kind_names[signature->kind]);
	itp_json_set_signed(object, "cost_ns", match->cost_ns);
	itp_json_set_unsigned(object, "events", match->events);
	for (guint k = 0; k < page->mining->traces->len; k++) {
		if (match->trace_costs[k] > 0) {
			json_t *trace = json_object();

			itp_json_set_text(
				trace, "trace",
				g_array_index(page->mining->traces, struct itp_mined_trace, k)
					.path);
			itp_json_set_signed(trace, "cost_ns", match->trace_costs[k]);
			json_array_append_new(traces, trace);
		}
	}
	json_object_set_new_nocheck(object, "traces", traces);
	itp_json_append_line(output, object, 0);
}

static json_t *patterns_array(const struct itp_mining_page *page, const struct itp_mined *mined,
			      const struct itp_cluster *cluster)
{
	json_t *array = json_array();

	for (guint i = 0; i < cluster->patterns->len; i++) {
		const struct itp_pattern *pattern =
			&g_array_index(mined->patterns.list, struct itp_pattern,
				       g_array_index(cluster->patterns, guint, i));
		json_t *object = json_object();

		itp_json_set_signed(object, "cost_ns", pattern->cost_ns);
		itp_json_set_unsigned(object, "events", pattern->events);
		json_object_set_new_nocheck(
			object, "functions",
			functions_array(page->mining, pattern->functions, pattern->length));
		json_array_append_new(array, object);
	}
	return array;
}

static void append_cluster(const struct itp_mining_page *page, enum itp_mine_kind kind, guint i,
			   GString *output)
{
	const struct itp_mined *mined = &page->mined[kind];
	const struct itp_cluster *cluster =
		&g_array_index(mined->clusters.list, struct itp_cluster, i);
	json_t *object = json_object();

	itp_json_set_text(object, "type", "cluster");
	itp_json_set_text(object, "kind", itp_mine_kind_names[kind]);
	itp_json_set_unsigned(object, "rank", i + 1);
	itp_json_set_signed(object, "cost_ns", cluster->cost_ns);
	if (mined->base_costs) {
		itp_json_set_signed(object, "base_cost_ns",
				    g_array_index(mined->base_costs, int64_t, i));
	} else {
		itp_json_set_null(object, "base_cost_ns");
	}
	itp_json_set_signed(object, "covered_ns", g_array_index(mined->coverage, int64_t, i));
	itp_json_set_unsigned(object, "traces", cluster->traces);
	itp_json_set_unsigned(object, "events", cluster->events);
	json_object_set_new_nocheck(
		object, "common",
		functions_array(page->mining, (const uint32_t *)(const void *)cluster->common->data,
				cluster->common->len));
	json_object_set_new_nocheck(object, "patterns", patterns_array(page, mined, cluster));
	itp_json_append_line(output, object, 0);
}

static void append_summary(const struct itp_mining_page *page, GString *output)
{
	json_t *object = json_object();

	itp_json_set_text(object, "type", "summary");
	itp_json_set_unsigned(object, "broken", page->broken);
	itp_json_set_unsigned(object, "incomplete", itp_mining_incomplete(page->mining));
	for (int kind = 0; kind < ITP_MINE_KINDS; kind++) {
		const struct itp_mined *mined = &page->mined[kind];
		json_t *part = json_object();

		itp_json_set_signed(part, "cost_ns", page->mining->sets[kind].cost_ns);
		itp_json_set_unsigned(part, "stacks", page->mining->sets[kind].stacks->len);
		itp_json_set_signed(part, "least_ns", mined->least_ns);
		itp_json_set_unsigned(part, "patterns", mined->patterns.list->len);
		itp_json_set_unsigned(part, "clusters", mined->clusters.list->len);
		itp_json_set_bool(part, "complete", mined->least_ns == mined->asked_ns);
		json_object_set_new_nocheck(object, itp_mine_kind_names[kind], part);
	}
	itp_json_append_line(output, object, 0);
}

void itp_render_mining_jsonl(const struct itp_mining_page *page, GString *output)
{
	append_header(page, output);
	g_string_append(output, page->each ? page->each->str : "");
	for (guint i = 0; page->matches && i < page->matches->len; i++) {
		append_signature(page, i, output);
	}
	for (int kind = 0; kind < ITP_MINE_KINDS; kind++) {
		guint count = page->mined[kind].clusters.list->len;
		guint shown = page->top > 0 ? MIN(page->top, count) : count;

		for (guint i = 0; i < shown; i++) {
			append_cluster(page, (enum itp_mine_kind)kind, i, output);
		}
	}
	append_summary(page, output);
}
