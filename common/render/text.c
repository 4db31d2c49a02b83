/* SPDX-License-Identifier: MIT */
/*
 * A ranking for a person in front of a terminal. The first lines answer what was compared, how
 * complete it is, how large the difference is and how much of it is one thing; then one row and a
 * few lines for each path, function or module; then what the numbers are.
 *
 * The parts have files of their own, see page.h.
 */
#include "common/render/page.h"

#include "common/base/labels.h"
#include "common/render/style.h"
#include "common/render/units.h"

#define WIDTH_LEAST 60
/* Sentences name processes and functions up to this length. */
#define NAME_COLUMNS 30

char *itp_page_name(const struct itp_page *page, uint32_t function)
{
	g_autofree char *name = itp_label_clean(itp_function_at(page->ranking, function)->name);

	return itp_label_unbroken(itp_label_shorten_function(name, NAME_COLUMNS));
}

static void append_period(const struct itp_render_options *options, GString *output,
			  unsigned int width)
{
	g_autofree char *begin = itp_units_time(options->period_begin_ns);
	g_autofree char *end = itp_units_time(options->period_end_ns);
	g_autofree char *line = NULL;

	if (options->period > 0) {
		line = g_strdup_printf("Period %" G_GUINT64_FORMAT
				       ", from %s to %s after the beginning:",
				       options->period, begin, end);
	} else if (options->periods > 0) {
		line = g_strdup_printf("All %" G_GUINT64_FORMAT " periods together:",
				       options->periods);
	}
	if (line) {
		itp_label_wrap(output, line, 0, 0, width);
	}
}

static void append_ranking(struct itp_page *page, const struct itp_render_options *options)
{
	if (page->ranking->held_up) {
		itp_page_append_held(page);
		itp_page_append_foot(page, options->incomplete);
		return;
	}
	itp_page_append_summary(page);
	if (options->format == ITP_FORMAT_TREE) {
		page->tree_contexts = itp_page_append_tree(page);
	} else if (page->ranking->paths->len > 0) {
		itp_page_append_paths(page);
	} else if (page->ranking->rows->len > 0) {
		itp_page_append_rows(page);
	}
	itp_page_append_foot(page, options->incomplete);
	if (options->next && page->path) {
		g_autofree char *next = itp_label_clean(options->next);

		/* Unbroken, to be copied. */
		g_string_append_printf(page->output, "Calls of path 1: %s\n", next);
	}
}

void itp_render_text(const struct itp_ranking *ranking, const struct itp_render_options *options,
		     GString *output)
{
	g_autoptr(GString) text = g_string_new(NULL);
	struct itp_page page = {
		.ranking = ranking,
		.output = text,
		.width = MAX(options->width, WIDTH_LEAST),
		.is_period = options->period > 0,
	};

	itp_workload_labels_init(&page.labels, ranking);
	if (options->path > 0 || ranking->paths->len > 0) {
		page.path = itp_path_at(ranking, options->path > 0 ? options->path - 1 : 0);
	}
	if (options->incomplete) {
		itp_label_wrap(text,
			       "INCOMPLETE: an error ended the run early; these are the results of "
			       "what was read before it.",
			       0, 0, page.width);
	}
	if (options->interrupted) {
		itp_label_wrap(text,
			       "INTERRUPTED: these are the results of what was read until then.", 0,
			       0, page.width);
	}
	append_period(options, text, page.width);
	itp_page_append_workloads(&page);
	itp_page_append_doubts(&page);
	if (options->path > 0) {
		itp_page_append_detail(&page);
		itp_page_append_quality(&page, options->incomplete);
	} else {
		append_ranking(&page, options);
	}
	itp_workload_labels_release(&page.labels);
	itp_style_append(output, text->str, options->color, options->ascii);
}
