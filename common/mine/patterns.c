/* SPDX-License-Identifier: MIT */
/*
 * See patterns.h. Input and output of the search. Functions that do not cost enough by themselves
 * are in no costly pattern (the Apriori property): the search's forest is without them.
 */
#include "common/base/order.h"
#include "common/mine/counting.h"
#include "common/mine/search.h"

void itp_pattern_clear(gpointer data)
{
	struct itp_pattern *pattern = data;

	g_free(pattern->functions);
	g_free(pattern->nodes);
	g_clear_pointer(&pattern->ranges, g_array_unref);
}

void itp_pattern_free(gpointer pattern)
{
	itp_pattern_clear(pattern);
	g_free(pattern);
}

static void count_stacks(struct itp_mined_patterns *patterns, const struct itp_stack_set *set)
{
	g_autoptr(GPtrArray) list = g_ptr_array_new();

	for (guint i = 0; i < patterns->list->len; i++) {
		g_ptr_array_add(list, &g_array_index(patterns->list, struct itp_pattern, i));
	}
	itp_patterns_count(list, &patterns->forest);
	for (guint i = 0; i < list->len; i++) {
		struct itp_pattern *pattern = g_ptr_array_index(list, i);
		struct itp_stacks_sum sum = itp_ranges_sum(pattern->ranges, &patterns->forest, set);

		pattern->cost_ns = sum.cost_ns;
		pattern->events = sum.events;
	}
}

static gint compare_patterns(gconstpointer a, gconstpointer b)
{
	const struct itp_pattern *left = a;
	const struct itp_pattern *right = b;
	gint order = ITP_ORDER(right->cost_ns, left->cost_ns);

	for (uint32_t i = 0; order == 0 && i < MIN(left->length, right->length); i++) {
		order = ITP_ORDER(left->functions[i], right->functions[i]);
	}
	return order ?: ITP_ORDER(left->length, right->length);
}

void itp_mined_patterns_init(struct itp_mined_patterns *patterns, const struct itp_stack_set *set,
			     uint32_t function_count, const struct itp_pattern_options *options)
{
	struct itp_forest all;
	g_autofree int64_t *costs = NULL;
	g_autofree bool *keeps = g_new0(bool, function_count + 1);

	itp_forest_init(&all, set, NULL);
	costs = itp_forest_costs(&all, function_count);
	itp_forest_release(&all);
	for (uint32_t f = 0; f < function_count; f++) {
		keeps[f] = costs[f] >= options->least_ns;
	}
	*patterns = (struct itp_mined_patterns){
		.list = g_array_new(FALSE, FALSE, sizeof(struct itp_pattern)),
	};
	g_array_set_clear_func(patterns->list, itp_pattern_clear);
	itp_forest_init(&patterns->forest, set, keeps);
	itp_search_run(patterns, function_count, options);
	count_stacks(patterns, set);
	g_array_sort(patterns->list, compare_patterns);
}

void itp_mined_patterns_release(struct itp_mined_patterns *patterns)
{
	g_clear_pointer(&patterns->list, g_array_unref);
	itp_forest_release(&patterns->forest);
}
