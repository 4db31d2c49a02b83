/* SPDX-License-Identifier: MIT */
/*
 * See source.h: text.
 */
#include <inttypes.h>

#include "common/base/labels.h"
#include "common/render/source/listing.h"
#include "common/render/table.h"
#include "common/render/units.h"

#define NOTHING ""
#define GAP 2
/* Columns of text that are not cut in the narrowest terminal. */
#define TEXT_LEAST 20

/* Rows of a section: their text stands behind the columns, as only its end may be cut. */
struct listing {
	/* The last column is empty. Owned by this. */
	struct itp_table *table;
	/* char *, by row. Owned by this. */
	GPtrArray *texts;
};

/* ---- Rows ---- */

/* Appends `text` as far as `columns` have room; a sign stands for the rest. */
static void append_cut(const char *text, unsigned int columns, GString *output)
{
	unsigned int room = itp_label_columns(text) > columns ? columns - 1 : columns;
	const char *at = text;

	for (unsigned int used = 0; *at; at = g_utf8_next_char(at)) {
		used += itp_label_character_columns(g_utf8_get_char(at));
		if (used > room) {
			break;
		}
	}
	g_string_append_len(output, text, at - text);
	g_string_append(output, *at ? "…" : "");
}

static void take_blank(struct listing *listing, int cells)
{
	for (int i = 0; i < cells; i++) {
		itp_table_take(listing->table, g_strdup(NOTHING));
	}
}

/* Own costs of a line. */
static void take_own(struct listing *listing, const struct itp_source_page *page,
		     const struct itp_source_looks *looks, const struct itp_source_row *row)
{
	int64_t cpu_ns = itp_source_costs_cpu_ns(looks->costs, row->weight);

	itp_table_take(listing->table,
		       itp_units_share((double)row->weight, (double)page->own_weight));
	itp_table_take(listing->table,
		       cpu_ns > 0 ? itp_units_time(cpu_ns) : itp_units_count(row->ticks));
	take_blank(listing, 2);
}

static void take_call(struct listing *listing, const struct itp_source_looks *looks,
		      const struct itp_source_row *row)
{
	take_blank(listing, 2);
	itp_table_take(listing->table, itp_units_time(row->time_ns));
	itp_table_take(listing->table, itp_source_name(looks, row->callee, looks->width / 5));
}

static char *line_of(const struct itp_source_entry *entry)
{
	if (entry->kind == ITP_SOURCE_GAP) {
		return g_strdup("…");
	}
	return entry->has_text ? g_strdup_printf(entry->section->file ? "%" PRIu64 : "0x%" PRIx64,
						 entry->line) :
				 g_strdup(NOTHING);
}

static void take_entry(struct listing *listing, const struct itp_source_page *page,
		       const struct itp_source_looks *looks, const struct itp_source_entry *entry)
{
	if (entry->kind != ITP_SOURCE_COSTS) {
		take_blank(listing, 4);
	} else if (entry->row->is_call) {
		take_call(listing, looks, entry->row);
	} else {
		take_own(listing, page, looks, entry->row);
	}
	itp_table_take(listing->table, line_of(entry));
	take_blank(listing, 1);
	g_ptr_array_add(listing->texts, itp_source_entry_text(entry));
}

/* ---- Sections ---- */

static void listing_init(struct listing *listing, const struct itp_source_looks *looks,
			 const struct itp_source_section *section)
{
	bool has_cpu = itp_source_costs_cpu_ns(looks->costs, G_MAXINT32) > 0;

	listing->table = itp_table_new(looks->width);
	listing->texts = g_ptr_array_new_with_free_func(g_free);
	itp_table_column(listing->table, "own", true);
	itp_table_column(listing->table, has_cpu ? "CPU time" : "ticks", true);
	itp_table_column(listing->table, "below", true);
	itp_table_column(listing->table, "called", false);
	itp_table_column(listing->table, section->file ? "line" : "address", true);
	itp_table_column(listing->table, NOTHING, false);
}

static void append_row(const struct listing *listing, guint i, unsigned int width, GString *output)
{
	const char *text = g_ptr_array_index(listing->texts, i);
	gsize begin = output->len;
	unsigned int used;

	itp_table_append_row(listing->table, i, output);
	if (text[0] != '\0') {
		g_string_truncate(output, output->len - 1);
		used = itp_label_columns(output->str + begin) + GAP;
		itp_label_pad(output, GAP);
		append_cut(text, MAX(width, used + TEXT_LEAST) - used, output);
		itp_label_end_line(output);
	}
}

static void append_wrapped(char *text, unsigned int indent, const struct itp_source_looks *looks,
			   GString *output)
{
	itp_label_wrap(output, text, 0, indent, looks->width);
	g_free(text);
}

/* Appends entries from `begin` on until another section begins. Returns its first entry. */
static guint append_section(const struct itp_source_page *page,
			    const struct itp_source_looks *looks, const GArray *entries,
			    guint begin, GString *output)
{
	const struct itp_source_entry *first =
		&g_array_index(entries, struct itp_source_entry, begin);
	struct listing listing;
	guint end;

	listing_init(&listing, looks, first->section);
	for (end = begin; end < entries->len; end++) {
		const struct itp_source_entry *entry =
			&g_array_index(entries, struct itp_source_entry, end);

		if (entry->section != first->section) {
			break;
		}
		take_entry(&listing, page, looks, entry);
	}
	g_string_append_c(output, '\n');
	append_wrapped(itp_source_section_name(first->section), 2, looks, output);
	itp_table_append_heads(listing.table, output);
	for (guint i = 0; i < listing.texts->len; i++) {
		append_row(&listing, i, looks->width, output);
	}
	itp_table_free(listing.table);
	g_ptr_array_unref(listing.texts);
	return end;
}

void itp_render_source_text(const struct itp_source_page *page,
			    const struct itp_source_looks *looks, GString *output)
{
	g_autoptr(GArray) entries = itp_source_listing(page);
	char *lack = itp_source_lack(page, looks);

	append_wrapped(itp_source_head(page, looks), 2, looks, output);
	if (lack) {
		append_wrapped(lack, 0, looks, output);
	}
	for (guint i = 0; i < entries->len;) {
		i = append_section(page, looks, entries, i, output);
	}
}
