/* SPDX-License-Identifier: MIT */
/*
 * See context-sums.h.
 */
#include "common/render/context-sums.h"

#include <string.h>

#include "common/render/entries.h"

#define PROCESS_DEPTH 1

static const struct itp_context *context_of_sum(const struct itp_context_sums *sums, uint32_t node)
{
	return itp_context_tree_get(sums->ranking->tree, node);
}

struct itp_context_sum itp_context_sums_own(const struct itp_context_sums *sums, uint32_t node)
{
	const struct itp_ranking *ranking = sums->ranking;
	struct itp_context_sum own = { 0 };

	if (context_of_sum(sums, node)->depth > PROCESS_DEPTH &&
	    !itp_ranking_is_apart(ranking, node)) {
		own.suspect_ns = itp_profile_peek(ranking->suspect, node)->own_ns;
		own.base_ns = ranking->base ? itp_profile_peek(ranking->base, node)->own_ns : 0;
	}
	return own;
}

/* A node has a smaller id than its callees. `has_time` is by node: in or below it. */
static void add_up(struct itp_context_sums *sums, uint32_t size, bool *has_time)
{
	for (uint32_t node = size; node-- > 1;) {
		const struct itp_context_sum own = itp_context_sums_own(sums, node);
		struct itp_context_sum *sum = &sums->sums[node];
		uint32_t parent = context_of_sum(sums, node)->parent;

		sum->suspect_ns += own.suspect_ns;
		sum->base_ns += own.base_ns;
		sums->sums[parent].suspect_ns += sum->suspect_ns;
		sums->sums[parent].base_ns += sum->base_ns;
		has_time[node] |= own.suspect_ns != 0 || own.base_ns != 0;
		has_time[parent] |= has_time[node];
	}
}

/* Larger differences first, then by name. */
static gint compare_callees(gconstpointer a, gconstpointer b, gpointer data)
{
	const struct itp_context_sums *sums = data;
	uint32_t x = *(const uint32_t *)a;
	uint32_t y = *(const uint32_t *)b;
	int64_t x_ns = llabs(itp_context_sum_change(&sums->sums[x]));
	int64_t y_ns = llabs(itp_context_sum_change(&sums->sums[y]));

	if (x_ns != y_ns) {
		return x_ns > y_ns ? -1 : 1;
	}
	return itp_function_compare(sums->ranking->functions, context_of_sum(sums, x)->function,
				    context_of_sum(sums, y)->function);
}

/* First how many callees each node has, then where the first of them is, then they themselves. */
static void find_callees(struct itp_context_sums *sums, uint32_t size, const bool *has_time)
{
	g_autofree uint32_t *ends = NULL;

	for (uint32_t node = 1; node < size; node++) {
		sums->begins[context_of_sum(sums, node)->parent + 1] += has_time[node];
	}
	for (uint32_t node = 1; node <= size; node++) {
		sums->begins[node] += sums->begins[node - 1];
	}
	ends = g_memdup2(sums->begins, size * sizeof(*ends));
	for (uint32_t node = 1; node < size; node++) {
		if (has_time[node]) {
			sums->callees[ends[context_of_sum(sums, node)->parent]++] = node;
		}
	}
	for (uint32_t node = 0; node < size; node++) {
		g_qsort_with_data(sums->callees + sums->begins[node],
				  (gint)(sums->begins[node + 1] - sums->begins[node]),
				  sizeof(*sums->callees), compare_callees, sums);
	}
}

/* The first path of which a node is the culprit is the dearest. */
static void mark_culprits(struct itp_context_sums *sums)
{
	const struct itp_ranking *ranking = sums->ranking;

	for (guint i = ranking->paths->len; i-- > 0;) {
		const struct itp_ranked_path *path = itp_path_at(ranking, i);

		for (uint32_t j = 0; j < path->variant_count && path->culprit >= 0; j++) {
			sums->ranks[path->variants[j].node] = path->rank;
		}
	}
}

void itp_context_sums_init(struct itp_context_sums *sums, const struct itp_ranking *ranking)
{
	uint32_t size = itp_context_tree_size(ranking->tree);
	g_autofree bool *has_time = g_new0(bool, size);

	*sums = (struct itp_context_sums){
		.ranking = ranking,
		.sums = g_new0(struct itp_context_sum, size),
		.ranks = g_new0(uint32_t, size),
		.begins = g_new0(uint32_t, size + 1),
		.callees = g_new0(uint32_t, size),
	};
	add_up(sums, size, has_time);
	find_callees(sums, size, has_time);
	mark_culprits(sums);
}

void itp_context_sums_release(struct itp_context_sums *sums)
{
	g_free(sums->sums);
	g_free(sums->ranks);
	g_free(sums->begins);
	g_free(sums->callees);
}

const uint32_t *itp_context_sums_callees(const struct itp_context_sums *sums, uint32_t node,
					 uint32_t *ret_count)
{
	*ret_count = sums->begins[node + 1] - sums->begins[node];
	return sums->callees + sums->begins[node];
}
