/* SPDX-License-Identifier: MIT */
/*
 * See source.h: two recordings side by side.
 */
#include "common/base/labels.h"
#include "common/render/json.h"
#include "common/render/source/listing.h"
#include "common/render/units.h"

#define NOTHING ""
/* Rows of the text. */
#define ROWS_MOST 20
/* Changes when a reader would have to. */
#define SCHEMA 1

/* The present side, or the base if the function is in no present stack. */
static const struct itp_source_side *seen_side(const struct itp_source_side *base,
					       const struct itp_source_side *now)
{
	return now->page ? now : base;
}

static const struct itp_function *function_of_side(const struct itp_source_side *side)
{
	return itp_function_table_get(side->functions, side->page->function);
}

/* True when costs of both are times. */
static bool have_times(const struct itp_source_side *base, const struct itp_source_side *now)
{
	return itp_source_costs_have_times(base->costs) && itp_source_costs_have_times(now->costs);
}

/* ---- Text ---- */

static char *cost_text(double cost, bool is_time)
{
	return is_time ? itp_units_time((int64_t)cost) : itp_units_count((uint64_t)cost);
}

static char *own_text(const struct itp_source_side *side, bool is_time)
{
	const struct itp_source_page *page = side->page;

	if (!page) {
		return g_strdup("nothing");
	}
	return is_time ? itp_units_time(itp_source_costs_cpu_ns(side->costs, page->own_weight)) :
			 itp_units_counted(page->own_ticks, "tick");
}

static char *total_text(const struct itp_source_side *side)
{
	return side->page ? itp_units_time(side->page->total_ns) : g_strdup("nothing");
}

/* "handle in shop: own CPU time 1.20 s, before 520 ms; with all that it called …" */
static char *head_of(const struct itp_source_side *base, const struct itp_source_side *now,
		     unsigned int width)
{
	const bool is_time = have_times(base, now);
	const struct itp_source_side *side = seen_side(base, now);
	g_autofree char *name = itp_source_name(side->functions, side->page->function, width);
	g_autofree char *module = itp_label_clean(function_of_side(side)->module);
	g_autofree char *own = own_text(now, is_time);
	g_autofree char *own_before = own_text(base, is_time);
	g_autofree char *total = total_text(now);
	g_autofree char *total_before = total_text(base);

	return g_strdup_printf("%s in %s: own CPU time %s, before %s; with all that it called %s, "
			       "before %s",
			       name, module, own, own_before, total, total_before);
}

/* Note that lines may have moved; NULL where the file is the same. */
static char *builds_note(const struct itp_source_side *base, const struct itp_source_side *now)
{
	return base->page && now->page &&
			       g_strcmp0(function_of_side(base)->build_id,
					 function_of_side(now)->build_id) ?
		       g_strdup("The builds differ: a line is the one of the same number, and its "
				"text that of the file as it is now.") :
		       NULL;
}

static void take_change(struct itp_source_rows *rows, const struct itp_source_change *change,
			bool is_time)
{
	const struct itp_source_entry entry = itp_source_entry_of(change->row);
	const double added = change->now - change->base;

	itp_table_take(rows->table, is_time ? itp_units_time_change((int64_t)added) :
					      itp_units_count_change((int64_t)added));
	itp_table_take(rows->table, cost_text(change->base, is_time));
	itp_table_take(rows->table, cost_text(change->now, is_time));
	itp_table_take(rows->table, change->row->is_call ?
					    itp_source_name(change->side->functions,
							    change->row->callee, rows->width / 5) :
					    g_strdup(NOTHING));
	itp_source_rows_take(rows, itp_source_entry_place(&entry), &entry);
}

static void append_changes(const GArray *changes, bool is_time, unsigned int width, GString *output)
{
	struct itp_source_rows rows;

	itp_source_rows_init(&rows, width);
	itp_table_column(rows.table, "added", true);
	itp_table_column(rows.table, "before", true);
	itp_table_column(rows.table, "now", true);
	itp_table_column(rows.table, "called", false);
	itp_table_column(rows.table, "line", false);
	itp_table_column(rows.table, NOTHING, false);
	for (guint i = 0; i < MIN(changes->len, ROWS_MOST); i++) {
		take_change(&rows, &g_array_index(changes, struct itp_source_change, i), is_time);
	}
	itp_source_rows_append(&rows, g_strdup(is_time ? "by what was added" : "by ticks added"),
			       output);
	if (changes->len > ROWS_MOST) {
		g_autofree char *rest = itp_units_count(changes->len - ROWS_MOST);

		g_string_append_printf(output, "\n%s smaller: --format jsonl\n", rest);
	}
}

void itp_render_source_pair_text(const struct itp_source_side *base,
				 const struct itp_source_side *now, unsigned int width,
				 GString *output)
{
	g_autoptr(GArray) changes = itp_source_pair(base, now);
	const struct itp_source_side *side = seen_side(base, now);
	const struct itp_source_looks looks = { side->costs, side->functions, width };
	char *lack = itp_source_lack(side->page, &looks);
	char *note = builds_note(base, now);

	itp_source_append_wrapped(head_of(base, now, width), 2, width, output);
	if (lack) {
		itp_source_append_wrapped(lack, 0, width, output);
	}
	if (note) {
		itp_source_append_wrapped(note, 0, width, output);
	}
	append_changes(changes, have_times(base, now), width, output);
}

/* ---- JSON lines ---- */

/* Sets the members of a function in one of the recordings; null where it is in no stack. */
static void set_side(json_t *object, const char *prefix, const struct itp_source_side *side,
		     bool is_time)
{
	g_autofree char *build_id = g_strconcat(prefix, "build_id", NULL);
	g_autofree char *own = g_strconcat(prefix, is_time ? "cpu_ns" : "ticks", NULL);
	g_autofree char *total = g_strconcat(prefix, "total_ns", NULL);
	const struct itp_source_page *page = side->page;

	if (!page) {
		itp_json_set_null(object, build_id);
		itp_json_set_null(object, own);
		itp_json_set_null(object, total);
		return;
	}
	itp_json_set_text(object, build_id, function_of_side(side)->build_id);
	itp_json_set_signed(object, own,
			    is_time ? itp_source_costs_cpu_ns(side->costs, page->own_weight) :
				      (int64_t)page->own_ticks);
	itp_json_set_signed(object, total, page->total_ns);
}

static void append_head(const struct itp_source_side *base, const struct itp_source_side *now,
			GString *output)
{
	const struct itp_source_side *side = seen_side(base, now);
	json_t *object = json_object();

	itp_json_set_text(object, "type", "header");
	itp_json_set_unsigned(object, "schema", SCHEMA);
	itp_json_set_text(object, "function", function_of_side(side)->name);
	itp_json_set_text(object, "module", function_of_side(side)->module);
	set_side(object, "", now, have_times(base, now));
	set_side(object, "base_", base, have_times(base, now));
	itp_json_set_bool(object, "has_lines", side->page->has_lines);
	itp_json_append_line(output, object, 0);
}

static void append_change(const struct itp_source_change *change, bool is_time, GString *output)
{
	const char *cost = change->row->is_call ? "total_ns" : is_time ? "cpu_ns" : "ticks";
	g_autofree char *base_cost = g_strconcat("base_", cost, NULL);
	json_t *object = json_object();

	itp_source_set_place(object, change->row);
	if (change->row->is_call) {
		itp_json_set_text(
			object, "callee",
			itp_function_table_get(change->side->functions, change->row->callee)->name);
	}
	itp_json_set_signed(object, cost, (int64_t)change->now);
	itp_json_set_signed(object, base_cost, (int64_t)change->base);
	itp_json_append_line(output, object, 0);
}

void itp_render_source_pair_jsonl(const struct itp_source_side *base,
				  const struct itp_source_side *now, GString *output)
{
	g_autoptr(GArray) changes = itp_source_pair(base, now);

	append_head(base, now, output);
	for (guint i = 0; i < changes->len; i++) {
		append_change(&g_array_index(changes, struct itp_source_change, i),
			      have_times(base, now), output);
	}
}
