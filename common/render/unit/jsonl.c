/* SPDX-License-Identifier: MIT */
/*
 * See unit.h: JSON lines.
 */
#include "common/base/context-function.h"
#include "common/render/json.h"
#include "common/render/unit/unit.h"

/* Changes when a reader would have to. */
#define SCHEMA 1

static const char *const telling_names[] = {
	[ITP_TELLING_ONLY] = "only",
	[ITP_TELLING_MOSTLY] = "mostly",
	[ITP_TELLING_ALTOGETHER] = "together",
};

/* "libc.so.6!read" */
static json_t *function_text(const struct itp_unit_page *page, uint32_t node)
{
	const struct itp_function *function =
		itp_context_function(page->tree, page->functions, node);
	g_autofree char *name = g_strdup_printf("%s!%s", function->module, function->name);

	return itp_json_text(name);
}

/* Functions from the process to the node's. */
static json_t *path_array(const struct itp_unit_page *page, uint32_t node)
{
	json_t *array = json_array();

	for (; node != ITP_CONTEXT_ROOT; node = itp_context_tree_get(page->tree, node)->parent) {
		json_array_insert_new(array, 0, function_text(page, node));
	}
	return array;
}

/* Measures of the paper's tables: call trees, and the variance of units with its reasons. */
static void set_measures(const struct itp_unit_page *page, guint place, json_t *object)
{
	const struct itp_unit_type *type = &g_array_index(page->types, struct itp_unit_type, place);
	json_t *parts = json_object();

	itp_json_set_real(object, "paths_mean", type->trees.paths);
	itp_json_set_real(object, "functions_mean", type->trees.functions);
	itp_json_set_real(object, "depth_part", type->trees.depth_part);
	if (page->guard_points) {
		itp_json_set_unsigned(object, "guard_points", page->guard_points[place]);
	}
	itp_json_set_signed(object, "work_mean_ns", (int64_t)type->work_mean_ns);
	itp_json_set_signed(object, "work_deviation_ns", (int64_t)type->work_deviation_ns);
	itp_json_set_real(parts, "cpu", type->causes.cpu_part);
	itp_json_set_real(parts, "blocked", type->causes.blocked_part);
	itp_json_set_real(parts, "runnable", type->causes.runnable_part);
	itp_json_set_real(parts, "longest_hundredth", type->causes.tail_part);
	json_object_set_new_nocheck(object, "variance_parts", parts);
}

static void append_type(const struct itp_unit_page *page, guint place, GString *output)
{
	const struct itp_unit_type *type = &g_array_index(page->types, struct itp_unit_type, place);
	json_t *object = json_object();
	json_t *telling = json_array();

	itp_json_set_text(object, "type", "unit_type");
	json_object_set_new_nocheck(object, "loop", path_array(page, type->loop));
	json_object_set_new_nocheck(object, "wait", path_array(page, type->wait));
	for (guint i = 0; i < type->telling->len; i++) {
		json_array_append_new(telling,
				      path_array(page, g_array_index(type->telling, uint32_t, i)));
	}
	json_object_set_new_nocheck(object, "telling", telling);
	itp_json_set_text(object, "telling_is", telling_names[type->telling_is]);
	if (type->signalled > 0) {
		json_object_set_new_nocheck(object, "begun_by", path_array(page, type->signaller));
		itp_json_set_unsigned(object, "begun", type->signalled);
	}
	itp_json_set_unsigned(object, "count", type->count);
	itp_json_set_unsigned(object, "path_sets", type->sets);
	itp_json_set_signed(object, "total_ns", type->total_ns);
	itp_json_set_signed(object, "min_ns", type->min_ns);
	itp_json_set_signed(object, "mean_ns", (int64_t)type->mean_ns);
	itp_json_set_signed(object, "deviation_ns", (int64_t)type->deviation_ns);
	itp_json_set_signed(object, "median_ns", type->median_ns);
	itp_json_set_signed(object, "median_deviation_ns", type->median_deviation_ns);
	itp_json_set_signed(object, "p99_ns", type->p99_ns);
	itp_json_set_signed(object, "max_ns", type->max_ns);
	itp_json_set_signed(object, "mean_limit_ns", type->mean_limit_ns);
	itp_json_set_signed(object, "median_limit_ns", type->median_limit_ns);
	itp_json_set_signed(object, "cpu_ns", type->use.cpu_ns);
	itp_json_set_signed(object, "blocked_ns", type->use.blocked_ns);
	itp_json_set_signed(object, "runnable_ns", type->use.runnable_ns);
	itp_json_set_unsigned(object, "asked_bytes", type->talk.asked_bytes);
	itp_json_set_unsigned(object, "answered_bytes", type->talk.answered_bytes);
	set_measures(page, place, object);
	itp_json_append_line(output, object, 0);
}

void itp_render_unit_jsonl(const struct itp_unit_page *page, GString *output)
{
	json_t *object = json_object();

	itp_json_set_text(object, "type", "header");
	itp_json_set_unsigned(object, "schema", SCHEMA);
	itp_json_set_text(object, "recording", page->path);
	itp_json_set_unsigned(object, "types", page->types->len);
	itp_json_set_bool(object, "complete", page->is_complete);
	if (page->shows_trees) {
		itp_json_set_signed(object, "types_took_ns", page->took_ns);
	}
	itp_json_append_line(output, object, 0);
	for (guint i = 0; i < page->types->len; i++) {
		append_type(page, i, output);
	}
}
