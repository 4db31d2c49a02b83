/* SPDX-License-Identifier: MIT */
/*
 * Types of a recording's units (common/unit), for people and for programs. Like all renderers,
 * these decide nothing.
 *
 *   text.c, jsonl.c  text and JSON lines
 */
#ifndef ITP_RENDER_UNIT_UNIT_H
#define ITP_RENDER_UNIT_UNIT_H

#include "common/base/function-table.h"
#include "common/unit/types.h"

struct itp_unit_page {
	/* All weak. The recording, as given. */
	const char *path;
	const struct itp_context_tree *tree;
	const struct itp_function_table *functions;
	/* struct itp_unit_type, in the order of itp_unit_types_find(). */
	const GArray *types;
	/* By type: number of contexts of its units that a guard would watch; NULL where unknown.
	 * Weak. */
	const guint *guard_points;
	bool is_complete;
	/* Call trees of each type are shown, as text; and the time it took to find the types. */
	bool shows_trees;
	int64_t took_ns;
	/* How many types of each loop are shown as text; 0: all. */
	guint top;
	unsigned int width;
};

void itp_render_unit_text(const struct itp_unit_page *page, GString *output);

/* A header, and a type a line. */
void itp_render_unit_jsonl(const struct itp_unit_page *page, GString *output);

#endif
