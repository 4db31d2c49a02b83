/* SPDX-License-Identifier: MIT */
/*
 * See pair.h.
 */
#include "common/source/pair.h"

#include <math.h>

#include "common/base/hash.h"

/* Text that is the same for a line in both recordings. Owned by the caller. */
static char *key_of_line(const struct itp_source_side *side, const struct itp_source_row *row)
{
	const struct itp_source_section *section = row->section;
	g_autofree char *file = section->file ? g_path_get_basename(section->file) : g_strdup("");
	const char *callee =
		row->is_call ? itp_function_table_get(side->functions, row->callee)->name : "";

	return g_strdup_printf("%s\n%s\n%" G_GUINT64_FORMAT "\n%d\n%s", file,
			       section->is_inlined && section->function ? section->function : "",
			       row->line, row->is_call, callee);
}

/* Adds the rows of a side, the present one or the base, to the changes known by their keys. */
static void add_side(GArray *changes, GHashTable *known, const struct itp_source_side *side,
		     bool is_now)
{
	for (guint i = 0; side->page && i < side->page->rows->len; i++) {
		const struct itp_source_row *row =
			&g_array_index(side->page->rows, struct itp_source_row, i);
		const struct itp_source_change fresh = { .row = row, .side = side };
		char *key = key_of_line(side, row);
		gpointer at = g_hash_table_lookup(known, key);
		struct itp_source_change *change;

		if (at) {
			g_free(key);
		} else {
			g_array_append_val(changes, fresh);
			at = GUINT_TO_POINTER(changes->len);
			g_hash_table_insert(known, key, at);
		}
		change =
			&g_array_index(changes, struct itp_source_change, GPOINTER_TO_UINT(at) - 1);
		*(is_now ? &change->now : &change->base) += itp_source_row_cost(side->costs, row);
	}
}

static gint order_of_changes(gconstpointer a, gconstpointer b)
{
	const struct itp_source_change *left = a;
	const struct itp_source_change *right = b;
	const double left_size = fabs(left->now - left->base);
	const double right_size = fabs(right->now - right->base);

	if (left_size != right_size) {
		return left_size > right_size ? -1 : 1;
	}
	return (left->row->line > right->row->line) - (left->row->line < right->row->line);
}

GArray *itp_source_pair(const struct itp_source_side *base, const struct itp_source_side *now)
{
	GArray *changes = g_array_new(FALSE, FALSE, sizeof(struct itp_source_change));
	g_autoptr(GHashTable) known =
		g_hash_table_new_full(itp_hash_text, g_str_equal, g_free, NULL);

	add_side(changes, known, now, true);
	add_side(changes, known, base, false);
	g_array_sort(changes, order_of_changes);
	return changes;
}
