/* SPDX-License-Identifier: MIT */
/*
 * Places of a pattern in stacks: see search-parts.h.
 */
#include "common/mine/search-parts.h"

uint32_t itp_search_find(const struct itp_pattern_search *search, uint32_t function, uint32_t least)
{
	uint32_t begin = search->first[function];
	uint32_t end = search->first[function + 1];

	while (begin < end) {
		uint32_t middle = begin + (end - begin) / 2;

		if (search->nodes_of[middle] >= least) {
			end = middle;
		} else {
			begin = middle + 1;
		}
	}
	return begin;
}

void itp_search_path(struct itp_pattern_search *search, uint32_t node, GArray *path)
{
	g_array_set_size(path, 0);
	for (;;) {
		g_array_append_val(path, itp_search_node(search, node)->function);
		if (itp_search_node(search, node)->parent == node) {
			break;
		}
		node = itp_search_node(search, node)->parent;
	}
	for (guint i = 0; i < path->len / 2; i++) {
		uint32_t *left = &g_array_index(path, uint32_t, i);
		uint32_t *right = &g_array_index(path, uint32_t, path->len - 1 - i);
		uint32_t function = *left;

		*left = *right;
		*right = function;
	}
	itp_search_work(search, path->len);
}

void itp_search_places(struct itp_pattern_search *search, const GArray *path)
{
	const GArray *pattern = search->pattern;
	guint at = 0;

	g_array_set_size(search->firsts, pattern->len);
	g_array_set_size(search->lasts, pattern->len);
	for (guint i = 0; i < pattern->len; i++) {
		while (g_array_index(path, uint32_t, at) != g_array_index(pattern, uint32_t, i)) {
			at++;
		}
		g_array_index(search->firsts, guint, i) = at++;
	}
	at = path->len;
	for (guint i = pattern->len; i-- > 0;) {
		do {
			at--;
		} while (g_array_index(path, uint32_t, at) != g_array_index(pattern, uint32_t, i));
		g_array_index(search->lasts, guint, i) = at;
	}
	itp_search_work(search, path->len);
}
