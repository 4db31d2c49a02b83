/* SPDX-License-Identifier: MIT */
/*
 * Lines of a function (common/source) with their costs, for people and for programs. Like all
 * renderers, this decides nothing but which lines without costs are shown.
 *
 *   listing.c        the lines shown, and their heads
 *   rows.c           rows of text
 *   text.c, jsonl.c  text and JSON lines
 *   json.c           a part of the page of a report
 *   pair.c           two recordings side by side
 */
#ifndef ITP_RENDER_SOURCE_SOURCE_H
#define ITP_RENDER_SOURCE_SOURCE_H

#include <jansson.h>

#include "common/source/page.h"
#include "common/source/pair.h"

struct itp_source_looks {
	/* Both weak. */
	const struct itp_source_costs *costs;
	const struct itp_function_table *functions;
	unsigned int width;
};

void itp_render_source_text(const struct itp_source_page *page,
			    const struct itp_source_looks *looks, GString *output);

/* A header, then a line for each line and each call in it, with its cost. */
void itp_render_source_jsonl(const struct itp_source_page *page,
			     const struct itp_source_looks *looks, GString *output);

/* Costs of each line of a function in both recordings, sorted by what was added; in JSON lines
 * with the members of one recording, and "base_cpu_ns" and the like beside them. */
void itp_render_source_pair_text(const struct itp_source_side *base,
				 const struct itp_source_side *now, unsigned int width,
				 GString *output);
void itp_render_source_pair_jsonl(const struct itp_source_side *base,
				  const struct itp_source_side *now, GString *output);

/* For pages (json.c): the rows with most costs, at most so many. A new reference. */
json_t *itp_render_source_object(const struct itp_source_page *page,
				 const struct itp_source_looks *looks, guint rows_most);

#endif
