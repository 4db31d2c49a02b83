/* SPDX-License-Identifier: MIT */
/*
 * See listing.h.
 */
#include "common/render/source/listing.h"

#include <inttypes.h>

#include "common/base/labels.h"
#include "common/render/units.h"

/* Narrower than elsewhere, as columns of numbers are before the text. */
#define TAB_COLUMNS 4
/* Lines without cost shown around one with a cost. */
#define AROUND 2
#define NOTHING ""

/* ---- Heads ---- */

char *itp_source_name(const struct itp_function_table *functions, uint32_t function,
		      unsigned int columns)
{
	g_autofree char *clean = itp_label_function(itp_function_table_get(functions, function));

	return itp_label_shorten_function(clean, columns);
}

/* Divisor of a function's time: to wait for a CPU for less is not told. */
#define WAITING_PART 100

/* "own CPU time 1.20 s (1 204 ticks) and 20 ms blocked" */
static char *own_text(const struct itp_source_page *page, const struct itp_source_looks *looks)
{
	g_autofree char *ticks = itp_units_counted(page->own_ticks, "tick");
	int64_t cpu_ns = itp_source_costs_cpu_ns(looks->costs, page->own_weight);
	g_autofree char *time = itp_units_time(cpu_ns);
	g_autofree char *off = itp_units_time(page->own_off_ns);

	if (cpu_ns <= 0) {
		return g_strdup_printf("own CPU time: %s", ticks);
	}
	return itp_source_costs_are_watched(looks->costs) ?
		       g_strdup_printf("own CPU time %s (%s) and %s blocked", time, ticks, off) :
		       g_strdup_printf("own CPU time %s (%s)", time, ticks);
}

/* "; waiting for a CPU, 300 ms, is in none of these" */
static char *waiting_text(const struct itp_source_page *page)
{
	g_autofree char *waiting = itp_units_time(page->waiting_ns);

	return page->waiting_ns > page->total_ns / WAITING_PART ?
		       g_strdup_printf("; waiting for a CPU, %s, is in none of these", waiting) :
		       g_strdup("");
}

char *itp_source_head(const struct itp_source_page *page, const struct itp_source_looks *looks)
{
	const struct itp_function *function =
		itp_function_table_get(looks->functions, page->function);
	g_autofree char *name = itp_source_name(looks->functions, page->function, looks->width);
	g_autofree char *module = itp_label_clean(function->module);
	g_autofree char *file = itp_label_clean_text(function->file ? function->file : "");
	g_autofree char *own = own_text(page, looks);
	g_autofree char *total = itp_units_time(page->total_ns);
	g_autofree char *waiting = waiting_text(page);

	return g_strdup_printf("%s in %s%s%s%s: %s; %s with all that it called%s", name, module,
			       file[0] ? " (" : "", file, file[0] ? ")" : "", own, total, waiting);
}

static char *lack_of(const struct itp_function *function)
{
	g_autofree char *module = itp_label_clean(function->module);

	if (itp_function_is_in_no_file(function)) {
		return g_strdup("There are no lines of code that was made while the program ran.");
	}
	if (!function->file || function->file[0] == '\0') {
		return g_strdup_printf(
			"There are no lines, as the recorded file of %s is not at hand: name the "
			"directory with the files of the recorded machine with --symfs, or name "
			"servers in $DEBUGINFOD_URLS and say --debuginfod.",
			module);
	}
	return g_strdup_printf(
		"There are no lines, as no debug data of %s is at hand: compile it with -g; of a "
		"program of the distribution, install the package with its debug symbols (Debian, "
		"Ubuntu: PACKAGE-dbgsym, Fedora: PACKAGE-debuginfo), or name servers in "
		"$DEBUGINFOD_URLS and say --debuginfod. Addresses of the file stand for lines.",
		module);
}

char *itp_source_lack(const struct itp_source_page *page, const struct itp_source_looks *looks)
{
	if (page->missing) {
		g_autofree char *name = itp_label_clean(page->missing);

		return g_strdup_printf("Functions that are inlined have no names, as %s is not at "
				       "hand, which has those that several files share.",
				       name);
	}
	return page->has_lines ? NULL :
				 lack_of(itp_function_table_get(looks->functions, page->function));
}

char *itp_source_section_name(const struct itp_source_section *section)
{
	bool is_found = !section->file || section->text;
	g_autofree char *file =
		itp_label_clean(section->file ? section->file : "code without lines");
	g_autofree char *function =
		itp_label_clean_text(section->function ? section->function : "a function");

	return g_strconcat(file, is_found ? "" : " (not found)",
			   section->is_inlined ? ", inlined: " : "",
			   section->is_inlined ? function : "", NULL);
}

/* ---- Text of lines ---- */

/* Line of source with its tabs expanded. Owned by the caller. */
static char *expand(const char *line)
{
	g_autoptr(GString) text = g_string_new(NULL);
	g_autofree char *valid = g_utf8_make_valid(line, -1);

	for (const char *at = valid; *at; at = g_utf8_next_char(at)) {
		if (*at == '\t') {
			itp_label_pad(text,
				      TAB_COLUMNS - (unsigned int)g_utf8_strlen(text->str, -1) %
							    TAB_COLUMNS);
		} else if (*at != '\r') {
			g_string_append_unichar(text, g_utf8_get_char(at));
		}
	}
	return itp_label_clean_text(text->str);
}

char *itp_source_entry_text(const struct itp_source_entry *entry)
{
	const struct itp_source_section *section = entry->section;

	if (entry->kind == ITP_SOURCE_COSTS && entry->row->instruction) {
		return g_strdup(entry->has_text ? entry->row->instruction : NOTHING);
	}
	return entry->has_text && entry->line > 0 && entry->line <= section->text_lines ?
		       expand(section->text[entry->line - 1]) :
		       g_strdup(NOTHING);
}

char *itp_source_entry_line(const struct itp_source_entry *entry)
{
	if (entry->kind == ITP_SOURCE_GAP) {
		return g_strdup("…");
	}
	return entry->has_text ? g_strdup_printf(entry->section->file ? "%" PRIu64 : "0x%" PRIx64,
						 entry->line) :
				 g_strdup(NOTHING);
}

char *itp_source_entry_place(const struct itp_source_entry *entry)
{
	g_autofree char *line = itp_source_entry_line(entry);
	g_autofree char *name = entry->section->file ? g_path_get_basename(entry->section->file) :
						       NULL;
	g_autofree char *clean = name ? itp_label_clean(name) : NULL;

	return clean ? g_strconcat(clean, ":", line, NULL) : g_steal_pointer(&line);
}

/* ---- Lines shown ---- */

static void take_free_line(GArray *entries, const struct itp_source_section *section, uint64_t line)
{
	const struct itp_source_entry entry = {
		.kind = ITP_SOURCE_FREE, .section = section, .line = line, .has_text = true
	};

	g_array_append_val(entries, entry);
}

static void take_gap(GArray *entries, const struct itp_source_section *section)
{
	const struct itp_source_entry entry = { .kind = ITP_SOURCE_GAP, .section = section };

	g_array_append_val(entries, entry);
}

/* Lines without costs between two with them, `after` and `before`; 0 stands for none. */
static void take_between(GArray *entries, const struct itp_source_section *section, uint64_t after,
			 uint64_t before)
{
	uint64_t first = after > 0 ? after + 1 : MAX(section->begin, 1);
	uint64_t from = before > AROUND ? before - AROUND : 1;
	uint64_t line;

	for (line = first; after > 0 && line < before && line <= after + AROUND; line++) {
		take_free_line(entries, section, line);
	}
	if (after == 0 && section->begin > 0 && section->begin < before) {
		take_free_line(entries, section, line++);
	}
	if (line < from) {
		take_gap(entries, section);
		line = from;
	}
	for (; line < before; line++) {
		take_free_line(entries, section, line);
	}
}

static void take_behind(GArray *entries, const struct itp_source_section *section, uint64_t last)
{
	for (uint64_t line = last + 1;
	     section->text && line <= last + AROUND && line < section->text_lines; line++) {
		take_free_line(entries, section, line);
	}
}

/* `last` is the line of the row before. */
static void take_row(GArray *entries, const struct itp_source_row *row, uint64_t last)
{
	const struct itp_source_entry entry = { .kind = ITP_SOURCE_COSTS,
						.section = row->section,
						.row = row,
						.line = row->line,
						.has_text = row->line != last };

	if (row->section->text && row->line != last) {
		take_between(entries, row->section, last, row->line);
	}
	g_array_append_val(entries, entry);
}

GArray *itp_source_listing(const struct itp_source_page *page)
{
	GArray *entries = g_array_new(FALSE, FALSE, sizeof(struct itp_source_entry));
	const struct itp_source_section *section = NULL;
	uint64_t last = 0;

	for (guint i = 0; i < page->rows->len; i++) {
		const struct itp_source_row *row =
			&g_array_index(page->rows, struct itp_source_row, i);

		if (section && row->section != section) {
			take_behind(entries, section, last);
			last = 0;
		}
		section = row->section;
		take_row(entries, row, last);
		last = row->line;
	}
	if (section) {
		take_behind(entries, section, last);
	}
	return entries;
}

/* ---- Dearest lines ---- */

struct priced {
	const struct itp_source_row *row;
	double cost;
};

struct itp_source_entry itp_source_entry_of(const struct itp_source_row *row)
{
	return (struct itp_source_entry){ .kind = ITP_SOURCE_COSTS,
					  .section = row->section,
					  .row = row,
					  .line = row->line,
					  .has_text = true };
}

/* Rows of equal costs stay in the order of their lines. */
static gint order_of_costs(gconstpointer a, gconstpointer b)
{
	const struct priced *left = a;
	const struct priced *right = b;

	if (left->cost != right->cost) {
		return left->cost > right->cost ? -1 : 1;
	}
	return (left->row > right->row) - (left->row < right->row);
}

GArray *itp_source_dearest(const struct itp_source_page *page, const struct itp_source_looks *looks,
			   guint most)
{
	GArray *entries = g_array_new(FALSE, FALSE, sizeof(struct itp_source_entry));
	g_autoptr(GArray) prices = g_array_new(FALSE, FALSE, sizeof(struct priced));

	for (guint i = 0; i < page->rows->len; i++) {
		const struct itp_source_row *row =
			&g_array_index(page->rows, struct itp_source_row, i);
		const struct priced priced = { row, itp_source_row_cost(looks->costs, row) };

		g_array_append_val(prices, priced);
	}
	g_array_sort(prices, order_of_costs);
	for (guint i = 0; i < MIN(prices->len, most); i++) {
		const struct itp_source_entry entry =
			itp_source_entry_of(g_array_index(prices, struct priced, i).row);

		g_array_append_val(entries, entry);
	}
	return entries;
}
