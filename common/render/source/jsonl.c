/* SPDX-License-Identifier: MIT */
/*
 * See source.h: JSON lines.
 */
#include "common/render/json.h"
#include "common/render/source/listing.h"

/* Changes when a reader would have to. */
#define SCHEMA 1

static void set_function(json_t *object, const struct itp_source_looks *looks, const char *key,
			 uint32_t id)
{
	itp_json_set_text(object, key, itp_function_table_get(looks->functions, id)->name);
}

/* An unknown time is left out. */
static void set_own(json_t *object, const struct itp_source_looks *looks, uint64_t ticks,
		    uint64_t weight)
{
	int64_t cpu_ns = itp_source_costs_cpu_ns(looks->costs, weight);

	itp_json_set_unsigned(object, "ticks", ticks);
	if (cpu_ns > 0 || weight == 0) {
		itp_json_set_signed(object, "cpu_ns", cpu_ns);
	} else {
		itp_json_set_null(object, "cpu_ns");
	}
}

static void append_function(const struct itp_source_page *page,
			    const struct itp_source_looks *looks, GString *output)
{
	const struct itp_function *function =
		itp_function_table_get(looks->functions, page->function);
	json_t *object = json_object();

	itp_json_set_text(object, "type", "header");
	itp_json_set_unsigned(object, "schema", SCHEMA);
	set_function(object, looks, "function", page->function);
	itp_json_set_text(object, "module", function->module);
	itp_json_set_text(object, "build_id", function->build_id);
	set_own(object, looks, page->own_ticks, page->own_weight);
	if (itp_source_costs_are_watched(looks->costs)) {
		itp_json_set_signed(object, "off_ns", page->own_off_ns);
	} else {
		itp_json_set_null(object, "off_ns");
	}
	itp_json_set_signed(object, "total_ns", page->total_ns);
	itp_json_set_signed(object, "waiting_ns", page->waiting_ns);
	itp_json_set_bool(object, "has_lines", page->has_lines);
	itp_json_append_line(output, object, 0);
}

void itp_source_set_place(json_t *object, const struct itp_source_row *row)
{
	const struct itp_source_section *section = row->section;

	itp_json_set_text(object, "type", row->is_call ? "call" : "line");
	if (section->file) {
		itp_json_set_text(object, "file", section->file);
	}
	itp_json_set_unsigned(object, section->file ? "line" : "address", row->line);
	if (section->is_inlined && section->function) {
		itp_json_set_text(object, "inlined", section->function);
	}
}

static void append_row_object(const struct itp_source_row *row,
			      const struct itp_source_looks *looks, GString *output)
{
	json_t *object = json_object();

	itp_source_set_place(object, row);
	if (row->is_call) {
		set_function(object, looks, "callee", row->callee);
		itp_json_set_unsigned(object, "ticks", row->ticks);
		itp_json_set_signed(object, "total_ns", row->time_ns);
	} else {
		set_own(object, looks, row->ticks, row->weight);
	}
	itp_json_append_line(output, object, 0);
}

void itp_render_source_jsonl(const struct itp_source_page *page,
			     const struct itp_source_looks *looks, GString *output)
{
	append_function(page, looks, output);
	for (guint i = 0; i < page->rows->len; i++) {
		append_row_object(&g_array_index(page->rows, struct itp_source_row, i), looks,
				  output);
	}
}
