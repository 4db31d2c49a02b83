/* SPDX-License-Identifier: MIT */
/*
 * Paths that a person takes for one. What a culprit waits for often ends in several places of
 * the kernel, and each makes a path of its own.
 */
#include "common/render/variants.h"

#include "common/render/formats.h"

static void free_variant(gpointer indices)
{
	g_array_unref(indices);
}

GPtrArray *itp_variants_new(const struct itp_ranking *ranking)
{
	GPtrArray *variants = g_ptr_array_new_with_free_func(free_variant);
	/* Node of a culprit → the GArray of its paths. */
	GHashTable *by_node = g_hash_table_new(NULL, NULL);

	for (uint32_t i = 0; i < ranking->paths->len; i++) {
		const struct itp_ranked_path *path = itp_path_at(ranking, i);
		gpointer node = NULL;
		GArray *indices = NULL;

		if (path->culprit >= 0) {
			node = GUINT_TO_POINTER(path->frames[path->culprit].node);
			indices = g_hash_table_lookup(by_node, node);
		}
		if (indices == NULL) {
			indices = g_array_new(FALSE, FALSE, sizeof(uint32_t));
			g_ptr_array_add(variants, indices);
		}
		if (node != NULL) {
			g_hash_table_insert(by_node, node, indices);
		}
		g_array_append_val(indices, i);
	}
	g_hash_table_destroy(by_node);
	return variants;
}

/* The frame of `path` nearest to the root that is of `function`, so that the latency of a
 * recursion counts once. NULL when there is none. */
static const struct itp_ranked_frame *outermost(const struct itp_ranked_path *path,
						uint32_t function)
{
	for (uint32_t i = 0; i < path->frame_count; i++) {
		if (path->frames[i].function == function) {
			return &path->frames[i];
		}
	}
	return NULL;
}

int64_t itp_first_culprit_ns(const struct itp_ranking *ranking)
{
	const struct itp_ranked_path *first = itp_path_at(ranking, 0);
	GHashTable *seen;
	int64_t sum_ns = 0;

	if (first->culprit < 0) {
		return 0;
	}
	seen = g_hash_table_new(NULL, NULL);
	for (guint i = 0; i < ranking->paths->len; i++) {
		const struct itp_ranked_frame *frame =
			outermost(itp_path_at(ranking, i), first->frames[first->culprit].function);

		if (frame != NULL && g_hash_table_add(seen, GUINT_TO_POINTER(frame->node))) {
			sum_ns += frame->suspect->total_ns;
			sum_ns -= frame->base == NULL ? 0 : frame->base->total_ns;
		}
	}
	g_hash_table_destroy(seen);
	return sum_ns;
}
