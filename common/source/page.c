/* SPDX-License-Identifier: MIT */
/*
 * See page.h.
 */
#include "common/source/page.h"

#include <string.h>
#include <unistd.h>

#include "common/base/input-file.h"
#include "common/source/instructions.h"
#include "common/source/lines.h"
#include "common/symbol/debug-data.h"

/* Largest source file shown with its text. */
#define MAX_TEXT_BYTES (64 << 20)

/* ---- Text ---- */

/* Appends the rest of a file of at most MAX_TEXT_BYTES. False for a longer or unreadable one. */
static bool read_all(int file, GString *text)
{
	char buffer[65536];
	ssize_t got;

	while ((got = read(file, buffer, sizeof(buffer))) > 0 && text->len <= MAX_TEXT_BYTES) {
		g_string_append_len(text, buffer, got);
	}
	return got == 0;
}

/* Lines of a file; NULL when it cannot be read. Free with g_strfreev(). */
static char **lines_of_file(const char *symfs, const char *path)
{
	g_autofree char *here = itp_input_file_path(symfs, path);
	g_autofree char *plain = here ? NULL : itp_input_file_path(NULL, path);
	g_autoptr(GString) text = g_string_new(NULL);
	const char *found = here ? here : plain;
	int file = found ? itp_input_file_open(found) : -1;
	bool is_read;

	if (file < 0) {
		return NULL;
	}
	is_read = read_all(file, text);
	close(file);
	return is_read ? g_strsplit(text->str, "\n", -1) : NULL;
}

/* ---- Sections ---- */

static void section_free(gpointer data)
{
	struct itp_source_section *section = data;

	g_free(section->file);
	g_free(section->function);
	g_strfreev(section->text);
	g_free(section);
}

static struct itp_source_section *section_of(struct itp_source_page *page,
					     const struct itp_line *line, const char *symfs)
{
	struct itp_source_section *section;

	for (guint i = 0; i < page->sections->len; i++) {
		section = g_ptr_array_index(page->sections, i);
		if (g_strcmp0(section->file, line->file) == 0 &&
		    g_strcmp0(section->function, line->function) == 0) {
			section->is_inlined &= line->is_inlined;
			return section;
		}
	}
	section = g_new0(struct itp_source_section, 1);
	section->file = g_strdup(line->file);
	section->function = g_strdup(line->function);
	section->is_inlined = line->is_inlined;
	section->is_library = line->file && itp_debug_data_is_library(line->file);
	section->begin = line->begin;
	section->text = line->file ? lines_of_file(symfs, line->file) : NULL;
	section->text_lines = section->text ? g_strv_length(section->text) : 0;
	g_ptr_array_add(page->sections, section);
	return section;
}

/* Takes pointers to pointers: the function's own section first, then the program's files and those
 * of libraries, by falling costs. Code without lines goes last. */
static gint order_of_sections(gconstpointer a, gconstpointer b)
{
	const struct itp_source_section *left = *(const struct itp_source_section *const *)a;
	const struct itp_source_section *right = *(const struct itp_source_section *const *)b;

	if (!left->file != !right->file) {
		return left->file ? -1 : 1;
	}
	if (left->is_inlined != right->is_inlined) {
		return left->is_inlined ? 1 : -1;
	}
	if (left->is_library != right->is_library) {
		return left->is_library ? 1 : -1;
	}
	if (left->weight != right->weight) {
		return left->weight > right->weight ? -1 : 1;
	}
	if (left->time_ns != right->time_ns) {
		return left->time_ns > right->time_ns ? -1 : 1;
	}
	return g_strcmp0(left->file, right->file) ? g_strcmp0(left->file, right->file) :
						    g_strcmp0(left->function, right->function);
}

static void rank_sections(struct itp_source_page *page)
{
	for (guint i = 0; i < page->rows->len; i++) {
		const struct itp_source_row *row =
			&g_array_index(page->rows, struct itp_source_row, i);

		row->section->weight += row->is_call ? 0 : row->weight;
		row->section->time_ns += row->is_call ? row->time_ns : 0;
	}
	g_ptr_array_sort(page->sections, order_of_sections);
	for (guint i = 0; i < page->sections->len; i++) {
		((struct itp_source_section *)g_ptr_array_index(page->sections, i))->rank = i;
	}
}

/* ---- Rows ---- */

static bool is_same_row(const struct itp_source_row *a, const struct itp_source_row *b)
{
	return a->section == b->section && a->line == b->line && a->is_call == b->is_call &&
	       a->callee == b->callee;
}

static gint compare_unsigned(uint64_t a, uint64_t b)
{
	return (a > b) - (a < b);
}

/* Equal rows, of one line and callee, become neighbours. */
static gint order_of_rows(gconstpointer a, gconstpointer b)
{
	const struct itp_source_row *left = a;
	const struct itp_source_row *right = b;
	gint order = compare_unsigned(left->section->rank, right->section->rank);

	order = order ? order : compare_unsigned(left->line, right->line);
	order = order ? order : compare_unsigned(left->is_call, right->is_call);
	return order ? order : compare_unsigned(left->callee, right->callee);
}

static void merge_rows(struct itp_source_page *page)
{
	guint kept = 0;

	g_array_sort(page->rows, order_of_rows);
	for (guint i = 1; i < page->rows->len; i++) {
		const struct itp_source_row *row =
			&g_array_index(page->rows, struct itp_source_row, i);
		struct itp_source_row *last =
			&g_array_index(page->rows, struct itp_source_row, kept);

		if (is_same_row(last, row)) {
			last->ticks += row->ticks;
			last->weight += row->weight;
			last->time_ns += row->time_ns;
		} else {
			g_array_index(page->rows, struct itp_source_row, ++kept) = *row;
		}
	}
	g_array_set_size(page->rows, page->rows->len > 0 ? kept + 1 : 0);
}

/* A return address may already belong to the next line. */
static void add_place_row(struct itp_source_page *page, const struct itp_source_request *request,
			  const struct itp_source_place *place, struct itp_lines *lines)
{
	struct itp_line line = { .file = NULL };
	bool has_line =
		lines &&
		itp_lines_find(lines, place->is_exact ? place->address : place->address - 1, &line);
	const struct itp_source_row row = {
		.section = section_of(page, &line, request->symfs),
		.line = has_line ? line.number : place->address,
		.is_call = place->kind == ITP_SOURCE_CALL,
		.callee = place->callee,
		.ticks = place->ticks,
		.weight = place->weight,
		.time_ns = itp_source_costs_time_ns(request->costs, place),
	};

	g_array_append_val(page->rows, row);
}

double itp_source_row_cost(const struct itp_source_costs *costs, const struct itp_source_row *row)
{
	const bool has_times = itp_source_costs_have_times(costs);

	if (row->is_call) {
		return has_times ? (double)row->time_ns : 0;
	}
	return has_times ? (double)itp_source_costs_cpu_ns(costs, row->weight) : (double)row->ticks;
}

/* ---- Pages ---- */

static void page_free(gpointer data)
{
	struct itp_source_page *page = data;

	g_ptr_array_unref(page->sections);
	g_array_unref(page->rows);
	g_string_chunk_free(page->texts);
	g_free(page);
}

static struct itp_source_page *page_new(const struct itp_source_costs *costs,
					const struct itp_source_place *total)
{
	struct itp_source_page *page = g_new0(struct itp_source_page, 1);

	page->function = total->function;
	page->total_ns = itp_source_costs_time_ns(costs, total);
	page->waiting_ns = total->waiting_ns;
	page->sections = g_ptr_array_new_with_free_func(section_free);
	page->texts = g_string_chunk_new(1024);
	page->rows = g_array_new(FALSE, FALSE, sizeof(struct itp_source_row));
	return page;
}

/* NULL when the module's file is not at hand, or has no debug data. */
static struct itp_lines *lines_of(const struct itp_source_request *request, uint32_t id)
{
	const struct itp_function *function = itp_function_table_get(request->functions, id);
	const char *file = function->file ? function->file : "";
	bool is_below = request->symfs && g_str_has_prefix(file, request->symfs);
	const struct itp_symbol_files files = {
		.symfs = is_below ? request->symfs : NULL,
		.path = is_below ? file + strlen(request->symfs) : file,
		.build_id = function->build_id,
		.debuginfod = request->debuginfod,
	};

	return file[0] != '\0' ? itp_lines_new(&files, file) : NULL;
}

/* Adds instructions to the rows without lines. */
static void add_instructions(struct itp_source_page *page, const char *file)
{
	struct itp_instructions *instructions = file ? itp_instructions_new(file) : NULL;

	for (guint i = 0; instructions && i < page->rows->len; i++) {
		struct itp_source_row *row = &g_array_index(page->rows, struct itp_source_row, i);

		if (!row->section->file && !row->is_call) {
			g_autofree char *text = itp_instructions_text(instructions, row->line);

			row->instruction = text ? g_string_chunk_insert(page->texts, text) : NULL;
		}
	}
	itp_instructions_free(instructions);
}

static void add_own(struct itp_source_page *page, const struct itp_source_place *place)
{
	page->own_ticks += place->ticks;
	page->own_weight += place->weight;
	page->own_off_ns += place->off_ns;
}

/* A line hit by the timer has own costs; a call without costs tells nothing. */
static bool is_shown(const struct itp_source_costs *costs, const struct itp_source_place *place)
{
	return place->ticks > 0 ||
	       (place->kind == ITP_SOURCE_CALL && itp_source_costs_time_ns(costs, place) > 0);
}

static void fill_page(struct itp_source_page *page, const struct itp_source_request *request)
{
	const GArray *places = itp_source_costs_places(request->costs);
	struct itp_lines *lines = lines_of(request, page->function);

	page->has_lines = lines != NULL;
	page->missing = lines && itp_lines_missing(lines) ?
				g_string_chunk_insert(page->texts, itp_lines_missing(lines)) :
				NULL;
	for (guint i = 0; i < places->len; i++) {
		const struct itp_source_place *place =
			&g_array_index(places, struct itp_source_place, i);

		if (place->function != page->function || place->kind == ITP_SOURCE_TOTAL) {
			continue;
		}
		if (place->kind == ITP_SOURCE_OWN) {
			add_own(page, place);
		}
		if (is_shown(request->costs, place)) {
			add_place_row(page, request, place, lines);
		}
	}
	itp_lines_free(lines);
	rank_sections(page);
	merge_rows(page);
	add_instructions(page, itp_function_table_get(request->functions, page->function)->file);
}

/* Takes pointers to pointers. */
static gint order_of_pages(gconstpointer a, gconstpointer b)
{
	const struct itp_source_page *left = *(const struct itp_source_page *const *)a;
	const struct itp_source_page *right = *(const struct itp_source_page *const *)b;

	return left->total_ns != right->total_ns ?
		       (left->total_ns > right->total_ns ? -1 : 1) :
		       compare_unsigned(left->function, right->function);
}

GPtrArray *itp_source_pages(const struct itp_source_request *request)
{
	GPtrArray *pages = g_ptr_array_new_with_free_func(page_free);
	const GArray *places = itp_source_costs_places(request->costs);

	for (guint i = 0; i < places->len; i++) {
		const struct itp_source_place *place =
			&g_array_index(places, struct itp_source_place, i);

		if (place->kind == ITP_SOURCE_TOTAL) {
			g_ptr_array_add(pages, page_new(request->costs, place));
		}
	}
	for (guint i = 0; i < pages->len; i++) {
		fill_page(g_ptr_array_index(pages, i), request);
	}
	g_ptr_array_sort(pages, order_of_pages);
	return pages;
}
