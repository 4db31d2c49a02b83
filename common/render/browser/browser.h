/* SPDX-License-Identifier: MIT */
/*
 * A ranking to walk through: keys go in, lines come out. What a terminal is, only the host knows.
 *
 *   browser.c  the page on top, and keys common to all pages
 *   page.c     a page: rows, one of them selected; moving and searching in it
 *   list.c     ranked paths, functions or modules
 *   path.c     a path: its functions from the outermost one, and its calls
 *   tree.c     the tree of contexts, opened and closed
 *   text.c     text alone: the help, and the ranking as printed
 *
 * Sums and order of contexts are common/render's, as for the printed tree (context-sums.h).
 */
#ifndef ITP_RENDER_BROWSER_BROWSER_H
#define ITP_RENDER_BROWSER_BROWSER_H

#include "common/render/browser/keys.h"
#include "common/render/render.h"

struct itp_browser;

/* Rankings shown one at a time: this is `number`, from 1, of `count`. */
struct itp_browser_series {
	unsigned int number;
	unsigned int count;
	/* Set when the user wants to leave: 0, or how far the ranking is that is wanted next. */
	int step;
};

/* `ranking` is weak. `looks`, which is copied, is the look of the ranking as text, and its first
 * path. `series` is weak, and must outlive the result. */
struct itp_browser *itp_browser_new(const struct itp_ranking *ranking,
				    const struct itp_render_options *looks,
				    struct itp_browser_series *series);
void itp_browser_free(struct itp_browser *browser);

/* False when the user wants to leave. */
bool itp_browser_press(struct itp_browser *browser, gunichar key);

/* Lines of the top page: `height` lines (char *) with the marks of styles (common/render/table.h),
 * all clean, but perhaps wider than `width`. *ret_selected is the selected one, or -1. Free with
 * g_ptr_array_unref(). */
GPtrArray *itp_browser_lines(struct itp_browser *browser, unsigned int width, unsigned int height,
			     int *ret_selected);

#endif
