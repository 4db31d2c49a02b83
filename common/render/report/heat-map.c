/* SPDX-License-Identifier: MIT */
/*
 * The heat map of the paper's Figure 7 as SVG, for papers and bug reports: a row for each ranked
 * path, a cell for each of its functions, root first. A cell's colour is the logarithm of what its
 * function costs by itself, more than the base or less; the hottest one of a row is marked 0, the
 * others by their distance from it, and a frame marks the culprit.
 *
 * Fonts differ: a text that must not grow beyond its place names its length.
 */
#include "common/render/html/html.h"
#include "common/render/report/parts.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "common/base/labels.h"
#include "common/render/units.h"

#define CELL 18
#define ROW 36
#define MARGIN 16
#define LINE 15
/* Width of a column of text, in the font of the picture. */
#define COLUMN 6.6
/* Columns: of the label before the cells, its cost, and the sentence above. */
#define LABEL_COLUMNS 46
#define COST_COLUMNS 10
#define LEAST_COLUMNS 90
/* Orders of magnitude with a colour, counted from the largest. */
#define MAGNITUDES 4.0
/* Shade from which on white is more readable than black. */
#define WHITE_SHADE 0.82

struct colour {
	int red, green, blue;
};

/* Safe for the colour-blind, as on the page. */
static const struct colour rest = { 0xea, 0xec, 0xef };
static const struct colour slower = { 0xc4, 0x4e, 0x00 };
static const struct colour faster = { 0x00, 0x68, 0xa8 };

struct map {
	const struct itp_page *page;
	/* The largest cell, without its sign. */
	int64_t most_ns;
	uint32_t cells;
	double y;
};

/* ---- Texts ---- */

/* `text` is a clean label of `columns` at most, which takes no more room than they do. */
static void append_svg_text(GString *output, double x, double y, const char *class,
			    const char *text)
{
	char left[G_ASCII_DTOSTR_BUF_SIZE];
	char length[G_ASCII_DTOSTR_BUF_SIZE];

	g_ascii_formatd(left, sizeof(left), "%.1f", x);
	g_ascii_formatd(length, sizeof(length), "%.1f", COLUMN * itp_label_columns(text));
	g_string_append_printf(output, "<text x=\"%s\" y=\"%d\" class=\"%s\" textLength=\"%s\">",
			       left, (int)y, class, length);
	itp_html_append_escaped(output, text);
	g_string_append(output, "</text>\n");
}

/* Appends lines of `columns`. */
static void append_lines(struct map *map, const char *text, unsigned int columns)
{
	g_autoptr(GString) wrapped = g_string_new(NULL);
	g_auto(GStrv) lines = NULL;

	itp_label_wrap(wrapped, text, 0, 0, columns);
	lines = g_strsplit(g_strchomp(wrapped->str), "\n", -1);
	for (char **line = lines; *line; line++) {
		map->y += LINE;
		append_svg_text(map->page->output, MARGIN, map->y, "t", *line);
	}
}

/* ---- Cells ---- */

static int64_t cell_ns(const struct map *map, const struct itp_ranked_frame *frame)
{
	return itp_report_own_ns(map->page->ranking, frame->suspect, frame->node) -
	       itp_report_own_ns(map->page->ranking, frame->base, frame->node);
}

/* Position of `value_ns` between nothing and the largest of all, 0 to 1. */
static double shade_of(const struct map *map, int64_t value_ns)
{
	double part = value_ns == 0 ? 0 : fabs((double)value_ns) / (double)map->most_ns;

	return part == 0 ? 0 : CLAMP(1 + log10(part) / MAGNITUDES, 0, 1);
}

static int between(int from, int to, double part)
{
	return (int)lround(from + (to - from) * part);
}

static void append_colour(GString *output, double shade, bool is_faster)
{
	const struct colour *to = is_faster ? &faster : &slower;

	g_string_append_printf(output, "#%02x%02x%02x", between(rest.red, to->red, shade),
			       between(rest.green, to->green, shade),
			       between(rest.blue, to->blue, shade));
}

static uint32_t hottest(const struct map *map, const struct itp_ranked_path *path)
{
	uint32_t found = 0;

	for (uint32_t i = 1; i < path->frame_count; i++) {
		if (llabs(cell_ns(map, &path->frames[i])) >
		    llabs(cell_ns(map, &path->frames[found]))) {
			found = i;
		}
	}
	return found;
}

static double cells_left(void)
{
	return MARGIN + COLUMN * (LABEL_COLUMNS + 1);
}

static void append_cell_title(const struct map *map, const struct itp_ranked_frame *frame)
{
	const struct itp_function *function = itp_function_at(map->page->ranking, frame->function);
	g_autofree char *name = itp_label_function(function);
	g_autofree char *module = itp_label_clean(function->module);
	g_autofree char *short_name = itp_label_shorten_function(name, LEAST_COLUMNS);
	g_autofree char *short_module = itp_label_shorten(module, LEAST_COLUMNS);
	g_autofree char *own = map->page->ranking->base ?
				       itp_units_time_change(cell_ns(map, frame)) :
				       itp_units_time(cell_ns(map, frame));
	g_autofree char *title = g_strdup_printf("%s (%s): %s own", short_name, short_module, own);

	g_string_append(map->page->output, "<title>");
	itp_html_append_escaped(map->page->output, title);
	g_string_append(map->page->output, "</title>");
}

static void append_cell(const struct map *map, const struct itp_ranked_path *path, uint32_t i,
			uint32_t hot)
{
	GString *output = map->page->output;
	int64_t value_ns = cell_ns(map, &path->frames[i]);
	double shade = shade_of(map, value_ns);
	int x = (int)cells_left() + (int)i * CELL;

	g_string_append_printf(output, "<g transform=\"translate(%d %d)\">", x, (int)map->y);
	append_cell_title(map, &path->frames[i]);
	g_string_append_printf(output, "<rect width=\"%d\" height=\"%d\" fill=\"", CELL - 1, CELL);
	append_colour(output, shade, value_ns < 0);
	g_string_append(output, "\"/>");
	if ((int32_t)i == path->culprit) {
		g_string_append_printf(output,
				       "<rect x=\"1.5\" y=\"1.5\" width=\"%d\" height=\"%d\" "
				       "rx=\"2\" class=\"c\"/>",
				       CELL - 4, CELL - 3);
	}
	g_string_append_printf(output, "<text x=\"%g\" y=\"12.5\" class=\"n%s\">%d</text></g>\n",
			       (CELL - 1) / 2.0, shade > WHITE_SHADE ? " l" : "",
			       abs((int)i - (int)hot));
}

static bool is_same_module(const struct itp_ranking *ranking, const struct itp_ranked_path *path,
			   uint32_t a, uint32_t b)
{
	return strcmp(itp_function_at(ranking, path->frames[a].function)->module,
		      itp_function_at(ranking, path->frames[b].function)->module) == 0;
}

/* Line under the cells of a module, with its name where it fits. */
static void append_module(const struct map *map, const struct itp_ranked_path *path, uint32_t first,
			  uint32_t end)
{
	const char *name =
		itp_function_at(map->page->ranking, path->frames[first].function)->module;
	g_autofree char *label = itp_label_clean(name);
	double x = cells_left() + first * CELL;
	double width = (end - first) * CELL - 1;

	g_string_append_printf(map->page->output,
			       "<rect x=\"%d\" y=\"%d\" width=\"%d\" height=\"2\" class=\"m\"/>\n",
			       (int)x, (int)map->y + CELL + 1, (int)width);
	if (name[0] && COLUMN * itp_label_columns(label) <= width) {
		append_svg_text(map->page->output, (int)x, map->y + CELL + 12, "d", label);
	}
}

/* ---- Rows ---- */

static void append_label(const struct map *map, const struct itp_ranked_path *path)
{
	const struct itp_ranking *ranking = map->page->ranking;
	const struct itp_ranked_frame *face = itp_path_face(path);
	g_autofree char *cost = ranking->base ? itp_cell_change(ranking, path->cost) :
						itp_cell_value(ranking, path->cost);
	g_autofree char *rank =
		g_strdup_printf("%s%u", itp_path_is_unsure(path) ? "~" : "", path->rank);
	g_autofree char *name =
		itp_label_function(itp_function_at(ranking, face ? face->function : path->process));
	g_autofree char *place = itp_label_shorten_function(name, LABEL_COLUMNS - COST_COLUMNS - 7);
	double y = map->y + 13;

	append_svg_text(map->page->output, MARGIN + COLUMN * (4 - (double)itp_label_columns(rank)),
			y, "d", rank);
	append_svg_text(map->page->output,
			MARGIN + COLUMN * (5 + COST_COLUMNS - (double)itp_label_columns(cost)), y,
			"t", cost);
	append_svg_text(map->page->output, MARGIN + COLUMN * (7 + COST_COLUMNS), y, "t", place);
}

static void append_map_row(struct map *map, const struct itp_ranked_path *path)
{
	uint32_t hot = hottest(map, path);
	uint32_t first = 0;

	append_label(map, path);
	for (uint32_t i = 0; i < path->frame_count; i++) {
		append_cell(map, path, i, hot);
		if (i + 1 == path->frame_count ||
		    !is_same_module(map->page->ranking, path, i, i + 1)) {
			append_module(map, path, first, i + 1);
			first = i + 1;
		}
	}
	map->y += ROW;
}

/* ---- The picture ---- */

static void measure_map(struct map *map)
{
	map->most_ns = 1;
	for (guint i = 0; i < map->page->ranking->paths->len; i++) {
		const struct itp_ranked_path *path = itp_path_at(map->page->ranking, i);

		map->cells = MAX(map->cells, path->frame_count);
		for (uint32_t k = 0; k < path->frame_count; k++) {
			int64_t value_ns = cell_ns(map, &path->frames[k]);

			map->most_ns = MAX(map->most_ns, ABS(value_ns));
		}
	}
}

/* Colours of a sign, from the largest to none. */
static void append_colours(struct map *map, const char *what, bool is_faster)
{
	GString *output = map->page->output;
	double x = MARGIN;

	map->y += LINE;
	append_svg_text(output, x, map->y, "d", what);
	x += COLUMN * (itp_label_columns(what) + 1);
	for (int i = 0; i < (int)MAGNITUDES; i++) {
		int64_t value_ns = map->most_ns / (int64_t)pow(10, i);
		g_autofree char *time =
			map->page->ranking->base ?
				itp_units_time_change(is_faster ? -value_ns : value_ns) :
				itp_units_time(value_ns);

		g_string_append_printf(output,
				       "<rect x=\"%d\" y=\"%d\" width=\"10\" height=\"10\" fill=\"",
				       (int)x, (int)map->y - 9);
		append_colour(output, shade_of(map, value_ns), is_faster);
		g_string_append(output, "\"/>\n");
		append_svg_text(output, x + 14, map->y, "d", time);
		x += 14 + COLUMN * (itp_label_columns(time) + 2);
	}
}

static void append_legend(struct map *map)
{
	const bool has_latencies = itp_ranking_has_latencies(map->page->ranking);
	const char *own = has_latencies ? "own latency" : "own CPU time";
	const bool is_compared = map->page->ranking->base != NULL;
	g_autofree char *more = g_strconcat(own, is_compared ? ", more than the base:" : ":", NULL);
	g_autofree char *less = g_strconcat(own, ", less than the base:", NULL);

	append_colours(map, more, false);
	if (is_compared) {
		append_colours(map, less, true);
	}
	map->y += LINE;
	append_svg_text(
		map->page->output, MARGIN, map->y, "d",
		"0: hottest function of the path; other numbers: distance from it; frame: culprit");
}

static void append_start(const struct map *map, GString *output, int width, int height)
{
	g_string_append_printf(
		output,
		"<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
		"<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%d\" height=\"%d\" "
		"viewBox=\"0 0 %d %d\">\n<title>",
		width, height, width, height);
	itp_html_append_escaped(output, map->page->labels.suspect);
	if (map->page->labels.base) {
		g_string_append(output, " against ");
		itp_html_append_escaped(output, map->page->labels.base);
	}
	g_string_append(output,
			"</title>\n<style>text{font:11px ui-monospace,'DejaVu Sans Mono',monospace;"
			"fill:#1c2128}.d{fill:#5c6570}.n{font-size:9px;text-anchor:middle}"
			".l{fill:#fff}.m{fill:#8a929c}.c{fill:none;stroke:#1c2128;"
			"stroke-width:1.5}</style>\n<rect width=\"100%\" height=\"100%\" "
			"fill=\"#fff\"/>\n");
}

void itp_report_append_heat_map(const struct itp_page *page, bool incomplete)
{
	g_autoptr(GString) body = g_string_new(NULL);
	struct itp_page inner = *page;
	struct map map = { .page = &inner, .y = MARGIN };
	g_autofree char *summary = itp_report_text(page, itp_page_append_answer);
	unsigned int columns;

	inner.output = body;
	measure_map(&map);
	columns = MAX(LEAST_COLUMNS, LABEL_COLUMNS + 1 + (unsigned int)(map.cells * CELL / COLUMN));
	append_lines(&map, summary, columns);
	if (incomplete || !itp_ranking_is_complete(page->ranking, incomplete)) {
		append_lines(&map, "Incomplete input: what is missing is in none of these numbers.",
			     columns);
	}
	map.y += LINE;
	for (guint i = 0; i < page->ranking->paths->len; i++) {
		append_map_row(&map, itp_path_at(page->ranking, i));
	}
	if (page->ranking->paths->len > 0) {
		append_legend(&map);
	}
	append_start(&map, page->output, (int)(2 * MARGIN + COLUMN * columns), (int)map.y + MARGIN);
	g_string_append_len(page->output, body->str, (gssize)body->len);
	g_string_append(page->output, "</svg>\n");
}
