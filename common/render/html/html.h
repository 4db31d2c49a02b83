/* SPDX-License-Identifier: MIT */
/*
 * HTML page that needs nothing else and asks nobody.
 *
 *   html.c              a frame, filled with what a run says
 *   embedded.[hS]       the files of all pages, in the program
 *   page.css, format.js what all pages share
 *
 * Frames and their own files lie with their renderers: common/render/report, common/render/mining.
 */
#ifndef ITP_RENDER_HTML_HTML_H
#define ITP_RENDER_HTML_HTML_H

#include <glib.h>
#include <stdbool.h>

/* Part of a frame, both members weak: the text stands for @NAME@, as JSON, like the data, or as it
 * is where nobody else chose any of it. */
struct itp_html_part {
	const char *name;
	const char *text;
	bool is_json;
};

struct itp_html {
	/* All weak. Which file is the frame; the title, as text; and JSON, for the page's script.
	 */
	const char *frame;
	const char *title;
	const char *data;
	/* Further results of the run; ends with a part without a name. NULL for none. */
	const struct itp_html_part *parts;
};

void itp_html_append(const struct itp_html *html, GString *output);

/* `text`, a clean label, with XML's entities for <, &, > and quotes. */
void itp_html_append_escaped(GString *output, const char *text);

#endif
