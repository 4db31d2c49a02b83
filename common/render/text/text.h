/* SPDX-License-Identifier: MIT */
/*
 * A ranking as text for a person, with a table or with the tree of contexts.
 *
 *   text.c             the page from its first line to its last; what was compared, and its doubts
 *     page.c             common state of its parts
 *     headline.c         the first sentence, of every format
 *     text-summary.c     the sentence with the whole in numbers
 *     path-table.c       tables of paths, functions or modules; held-table.c: of waits
 *     path-notes.c       notes on a path; path-line.c: the path itself
 *     path-detail.c      a path from nearby; path-calls.c: its slowest calls
 *     tree.c             the calling context tree
 *     text-foot.c        left-out entries, and the quality of numbers and input
 *
 * Tables, units and words are left to common/render. Pages of a report, of the browser and comments
 * in Markdown have some of these parts as well: see page.h.
 */
#ifndef ITP_RENDER_TEXT_TEXT_H
#define ITP_RENDER_TEXT_TEXT_H

#include "common/render/render.h"

/* Appends the ranking, or the path of it that the options name, to `output`: with the tree for
 * ITP_FORMAT_TREE, else with the table. */
void itp_render_text(const struct itp_ranking *ranking, const struct itp_render_options *options,
		     GString *output);

#endif
