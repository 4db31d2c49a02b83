/* SPDX-License-Identifier: MIT */
/*
 * See source.h: text.
 */
#include "common/render/source/listing.h"
#include "common/render/units.h"

#define NOTHING ""
/* A listing with more lines has its dearest ones first, so many. */
#define LINES_SHORT 12
#define LINES_DEAREST 5

/* ---- Rows ---- */

static void take_blank(struct itp_source_rows *rows, int cells)
{
	for (int i = 0; i < cells; i++) {
		itp_table_take(rows->table, g_strdup(NOTHING));
	}
}

/* Own costs of a line. */
static void take_own(struct itp_source_rows *rows, const struct itp_source_page *page,
		     const struct itp_source_looks *looks, const struct itp_source_row *row)
{
	int64_t cpu_ns = itp_source_costs_cpu_ns(looks->costs, row->weight);

	itp_table_take(rows->table, itp_units_share((double)row->weight, (double)page->own_weight));
	itp_table_take(rows->table,
		       cpu_ns > 0 ? itp_units_time(cpu_ns) : itp_units_count(row->ticks));
	take_blank(rows, 2);
}

static void take_call(struct itp_source_rows *rows, const struct itp_source_looks *looks,
		      const struct itp_source_row *row)
{
	take_blank(rows, 2);
	itp_table_take(rows->table, itp_units_time(row->time_ns));
	itp_table_take(rows->table,
		       itp_source_name(looks->functions, row->callee, looks->width / 5));
}

/* Takes `place`. */
static void take_entry(struct itp_source_rows *rows, const struct itp_source_page *page,
		       const struct itp_source_looks *looks, const struct itp_source_entry *entry,
		       char *place)
{
	if (entry->kind != ITP_SOURCE_COSTS) {
		take_blank(rows, 4);
	} else if (entry->row->is_call) {
		take_call(rows, looks, entry->row);
	} else {
		take_own(rows, page, looks, entry->row);
	}
	itp_source_rows_take(rows, place, entry);
}

/* ---- Sections ---- */

static void begin_rows(struct itp_source_rows *rows, const struct itp_source_looks *looks,
		       const char *place, bool is_number)
{
	itp_source_rows_init(rows, looks->width);
	itp_table_column(rows->table, "own", true);
	itp_table_column(rows->table,
			 itp_source_costs_have_times(looks->costs) ? "CPU time" : "ticks", true);
	itp_table_column(rows->table, "below", true);
	itp_table_column(rows->table, "called", false);
	itp_table_column(rows->table, place, is_number);
	itp_table_column(rows->table, NOTHING, false);
}

/* Appends entries from `begin` on until another section begins. Returns its first entry. */
static guint append_section(const struct itp_source_page *page,
			    const struct itp_source_looks *looks, const GArray *entries,
			    guint begin, GString *output)
{
	const struct itp_source_entry *first =
		&g_array_index(entries, struct itp_source_entry, begin);
	struct itp_source_rows rows;
	guint end;

	begin_rows(&rows, looks, first->section->file ? "line" : "address", true);
	for (end = begin; end < entries->len; end++) {
		const struct itp_source_entry *entry =
			&g_array_index(entries, struct itp_source_entry, end);

		if (entry->section != first->section) {
			break;
		}
		take_entry(&rows, page, looks, entry, itp_source_entry_line(entry));
	}
	itp_source_rows_append(&rows, itp_source_section_name(first->section), output);
	return end;
}

static void append_dearest(const struct itp_source_page *page, const struct itp_source_looks *looks,
			   GString *output)
{
	g_autoptr(GArray) entries = itp_source_dearest(page, looks, LINES_DEAREST);
	struct itp_source_rows rows;

	begin_rows(&rows, looks, "line", false);
	for (guint i = 0; i < entries->len; i++) {
		const struct itp_source_entry *entry =
			&g_array_index(entries, struct itp_source_entry, i);

		take_entry(&rows, page, looks, entry, itp_source_entry_place(entry));
	}
	itp_source_rows_append(&rows, g_strdup("the dearest lines"), output);
}

void itp_render_source_text(const struct itp_source_page *page,
			    const struct itp_source_looks *looks, GString *output)
{
	g_autoptr(GArray) entries = itp_source_listing(page);
	char *lack = itp_source_lack(page, looks);

	itp_source_append_wrapped(itp_source_head(page, looks), 2, looks->width, output);
	if (lack) {
		itp_source_append_wrapped(lack, 0, looks->width, output);
	}
	if (entries->len > LINES_SHORT) {
		append_dearest(page, looks, output);
	}
	for (guint i = 0; i < entries->len;) {
		i = append_section(page, looks, entries, i, output);
	}
}
