/* SPDX-License-Identifier: MIT */
/*
 * Check whether a pattern has to be followed (BackScan of BIDE): see search-parts.h. A function in
 * the same gap of the pattern in all its stacks can be put in, and into all growths of the pattern,
 * so that the search comes to them by another way.
 *
 * Gap i lies between the earliest place of function i - 1 and the latest place of function i. From
 * a gap to the next both ends move on, so that a stack's gaps together are walked through once,
 * however much they overlap.
 */
#include "common/mine/search-parts.h"

/* ---- In the last gap alone ---- */

/* True when a single function calls the last one of the pattern in all stacks, and the pattern
 * lacks it there. Most patterns of deep stacks are left here. */
static bool has_one_caller(struct itp_pattern_search *search, const GArray *before,
			   const GArray *projection)
{
	uint32_t caller = UINT32_MAX;
	guint k = 0;

	for (guint i = 0; i < projection->len; i++) {
		uint32_t node = g_array_index(projection, uint32_t, i);
		uint32_t parent = itp_search_node(search, node)->parent;
		uint32_t function = itp_search_node(search, parent)->function;

		/* Node of the shorter pattern above this one. */
		while (before && k + 1 < before->len &&
		       g_array_index(before, uint32_t, k + 1) < node) {
			k++;
		}
		if (parent == node || (i > 0 && function != caller) ||
		    (before && g_array_index(before, uint32_t, k) == parent)) {
			return false;
		}
		caller = function;
	}
	return projection->len > 0;
}

/* ---- In all gaps ---- */

/* Moves the window to gap `i`, from the previous gap's `begin` and `end` on. */
static void move_to_gap(struct itp_pattern_search *search, const GArray *path, guint i,
			guint *begin, guint *end)
{
	guint to_begin = i == 0 ? 0 : g_array_index(search->firsts, guint, i - 1) + 1;
	guint to_end = g_array_index(search->lasts, guint, i);

	while (*end < to_end) {
		itp_window_enter(&search->window, g_array_index(path, uint32_t, (*end)++));
	}
	while (*begin < to_begin) {
		itp_window_leave(&search->window, g_array_index(path, uint32_t, (*begin)++));
	}
}

void itp_search_gaps(struct itp_pattern_search *search, uint32_t node,
		     void (*tell)(guint gap, const GArray *functions, void *data), void *data)
{
	guint begin = 0;
	guint end = 0;

	itp_search_path(search, node, search->path);
	itp_search_places(search, search->path);
	for (guint i = 0; i < search->pattern->len; i++) {
		move_to_gap(search, search->path, i, &begin, &end);
		tell(i, search->window.functions, data);
		itp_search_work(search, search->window.functions->len);
	}
	itp_window_clear(&search->window);
	itp_search_work(search, search->path->len + search->pattern->len);
}

/* Narrows down the functions in the gaps of all stacks. */
struct narrowing {
	struct itp_pattern_search *search;
	bool is_first;
	bool has_any;
};

/* Keeps a gap's functions that are in the window; all of the window for the first stack. */
static void narrow_gap(guint i, const GArray *functions, void *data)
{
	struct narrowing *narrowing = data;
	GArray *gap = g_ptr_array_index(narrowing->search->gaps, i);
	guint kept = 0;

	if (narrowing->is_first) {
		g_array_set_size(gap, 0);
		g_array_append_vals(gap, functions->data, functions->len);
		kept = functions->len;
	}
	for (guint k = 0; !narrowing->is_first && k < gap->len; k++) {
		uint32_t function = g_array_index(gap, uint32_t, k);

		if (itp_window_has(&narrowing->search->window, function)) {
			g_array_index(gap, uint32_t, kept++) = function;
		}
	}
	itp_search_work(narrowing->search, gap->len);
	g_array_set_size(gap, kept);
	narrowing->has_any |= kept > 0;
}

bool itp_search_can_insert(struct itp_pattern_search *search, const GArray *before,
			   const GArray *projection)
{
	struct narrowing narrowing = { .search = search };

	itp_search_work(search, projection->len);
	if (has_one_caller(search, before, projection)) {
		return true;
	}
	while (search->gaps->len < search->pattern->len) {
		g_ptr_array_add(search->gaps, g_array_new(FALSE, FALSE, sizeof(uint32_t)));
	}
	for (guint i = 0; i < projection->len; i++) {
		narrowing.is_first = i == 0;
		narrowing.has_any = false;
		itp_search_gaps(search, g_array_index(projection, uint32_t, i), narrow_gap,
				&narrowing);
		if (!narrowing.has_any) {
			return false;
		}
	}
	return true;
}
