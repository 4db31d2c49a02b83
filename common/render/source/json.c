/* SPDX-License-Identifier: MIT */
/*
 * See source.h: a JSON object for the page of a report.
 *
 *   { "head": …, "lack": … or null, "left_out": rows,
 *     "own": what own costs are, "CPU time" or "ticks",
 *     "sections": [{ "name": …, "is_code": …,
 *                    "rows": [[line or null, text or null, share, [cells …]], …] }] }
 *
 * Cells are the text's, by column; the share is the row's part of the whole, from 0 to 1, and null
 * without costs. A row without a line is a gap.
 */
#include "common/base/labels.h"
#include "common/render/json.h"
#include "common/render/source/listing.h"
#include "common/render/units.h"

/* Characters behind which lines are cut. */
#define TEXT_MOST 200
#define NAME_COLUMNS 60

/* Share of the function's own costs, or of all its callees'. */
static double share_of_row(const struct itp_source_page *page, const struct itp_source_row *row)
{
	if (row->is_call) {
		return page->total_ns > 0 ? (double)row->time_ns / (double)page->total_ns : 0;
	}
	return page->own_weight > 0 ? (double)row->weight / (double)page->own_weight : 0;
}

static gint order_of_shares(gconstpointer a, gconstpointer b)
{
	const double *left = a;
	const double *right = b;

	return (*left < *right) - (*left > *right);
}

/* Rows with room. */
struct room {
	bool is_limited;
	/* Smaller shares are left out. */
	double least;
	/* Number of rows with exactly the least share that are left out. */
	guint of_least;
};

static struct room find_room(const struct itp_source_page *page, guint rows_most)
{
	g_autoptr(GArray) shares = g_array_new(FALSE, FALSE, sizeof(double));
	struct room room = { .is_limited = page->rows->len > rows_most };

	for (guint i = 0; i < page->rows->len; i++) {
		double share =
			share_of_row(page, &g_array_index(page->rows, struct itp_source_row, i));

		g_array_append_val(shares, share);
	}
	g_array_sort(shares, order_of_shares);
	if (!room.is_limited) {
		return room;
	}
	room.least = g_array_index(shares, double, rows_most - 1);
	for (guint i = rows_most; i > 0 && g_array_index(shares, double, i - 1) == room.least;
	     i--) {
		room.of_least++;
	}
	return room;
}

/* Lines without costs are left out together with rows. */
static bool has_room(struct room *room, const struct itp_source_page *page,
		     const struct itp_source_entry *entry)
{
	double share = entry->kind == ITP_SOURCE_COSTS ? share_of_row(page, entry->row) : -1;

	if (share == room->least && room->of_least > 0) {
		room->of_least--;
		return true;
	}
	return !room->is_limited || share > room->least;
}

/* Takes `text`. */
static void append_text_value(json_t *array, char *text)
{
	json_array_append_new(array, itp_json_text(text));
	g_free(text);
}

/* Cells of the text: own share and time, or time below and the callee. */
static json_t *cells_array(const struct itp_source_page *page, const struct itp_source_looks *looks,
			   const struct itp_source_row *row)
{
	json_t *cells = json_array();
	int64_t cpu_ns = itp_source_costs_cpu_ns(looks->costs, row->weight);

	if (row->is_call) {
		append_text_value(cells, g_strdup(""));
		append_text_value(cells, g_strdup(""));
		append_text_value(cells, itp_units_time(row->time_ns));
		append_text_value(cells,
				  itp_source_name(looks->functions, row->callee, NAME_COLUMNS));
	} else {
		append_text_value(cells,
				  itp_units_share((double)row->weight, (double)page->own_weight));
		append_text_value(cells, cpu_ns > 0 ? itp_units_time(cpu_ns) :
						      itp_units_count(row->ticks));
	}
	return cells;
}

static json_t *line_value(const struct itp_source_entry *entry)
{
	g_autofree char *address = NULL;

	if (entry->kind == ITP_SOURCE_GAP) {
		return json_null();
	}
	if (entry->section->file) {
		return json_integer((json_int_t)entry->line);
	}
	address = g_strdup_printf("0x%" G_GINT64_MODIFIER "x", entry->line);
	return json_string(address);
}

static json_t *row_array(const struct itp_source_page *page, const struct itp_source_looks *looks,
			 const struct itp_source_entry *entry)
{
	g_autofree char *text = itp_source_entry_text(entry);
	bool has_costs = entry->kind == ITP_SOURCE_COSTS;
	json_t *array = json_array();

	json_array_append_new(array, line_value(entry));
	if (entry->has_text) {
		append_text_value(array, itp_label_shorten(text, TEXT_MOST));
	} else {
		json_array_append_new(array, json_null());
	}
	json_array_append_new(array,
			      has_costs ? json_real(share_of_row(page, entry->row)) : json_null());
	json_array_append_new(array,
			      has_costs ? cells_array(page, looks, entry->row) : json_array());
	return array;
}

static json_t *section_object(const struct itp_source_section *section)
{
	g_autofree char *name = itp_source_section_name(section);
	json_t *object = json_object();

	itp_json_set_text(object, "name", name);
	itp_json_set_bool(object, "is_code", section->file == NULL);
	json_object_set_new_nocheck(object, "rows", json_array());
	return object;
}

/* Returns how many rows were left out. */
static guint set_sections(json_t *object, const struct itp_source_page *page,
			  const struct itp_source_looks *looks, guint rows_most)
{
	g_autoptr(GArray) entries = itp_source_listing(page);
	struct room room = find_room(page, rows_most);
	json_t *sections = json_array();
	const struct itp_source_section *last = NULL;
	json_t *section = NULL;
	guint taken = 0;

	for (guint i = 0; i < entries->len; i++) {
		const struct itp_source_entry *entry =
			&g_array_index(entries, struct itp_source_entry, i);

		if (!has_room(&room, page, entry)) {
			continue;
		}
		if (entry->section != last) {
			section = section_object(entry->section);
			json_array_append_new(sections, section);
			last = entry->section;
		}
		json_array_append_new(json_object_get(section, "rows"),
				      row_array(page, looks, entry));
		taken += entry->kind == ITP_SOURCE_COSTS;
	}
	json_object_set_new_nocheck(object, "sections", sections);
	return page->rows->len - taken;
}

json_t *itp_render_source_object(const struct itp_source_page *page,
				 const struct itp_source_looks *looks, guint rows_most)
{
	bool has_cpu = itp_source_costs_have_times(looks->costs);
	g_autofree char *head = itp_source_head(page, looks);
	g_autofree char *lack = itp_source_lack(page, looks);
	json_t *object = json_object();

	itp_json_set_text(object, "head", head);
	if (lack) {
		itp_json_set_text(object, "lack", lack);
	} else {
		itp_json_set_null(object, "lack");
	}
	itp_json_set_text(object, "own", has_cpu ? "CPU time" : "ticks");
	itp_json_set_unsigned(object, "left_out", set_sections(object, page, looks, rows_most));
	return object;
}
