/* SPDX-License-Identifier: MIT */
/*
 * See counting.h.
 */
#include "common/mine/counting.h"

#include "common/base/order.h"

bool itp_is_subsequence(const uint32_t *part, uint32_t part_length, const uint32_t *whole,
			uint32_t whole_length)
{
	uint32_t found = 0;

	for (uint32_t i = 0; i < whole_length && found < part_length; i++) {
		found += whole[i] == part[found];
	}
	return found == part_length;
}

/* A walk over the forest knows how much of the pattern each node and its parents have, with each
 * function matched as early as possible. */
void itp_pattern_find(struct itp_pattern *pattern, const struct itp_forest *forest)
{
	g_autofree uint32_t *matched = g_new(uint32_t, forest->count + 1);
	GArray *nodes = g_array_new(FALSE, FALSE, sizeof(uint32_t));

	for (uint32_t i = 0; i < forest->count;) {
		const struct itp_forest_node *node = &forest->nodes[i];

		matched[i] = node->parent == i ? 0 : matched[node->parent];
		matched[i] += matched[i] < pattern->length &&
			      pattern->functions[matched[i]] == node->function;
		if (matched[i] == pattern->length) {
			g_array_append_val(nodes, i);
			i = node->end;
		} else {
			i++;
		}
	}
	pattern->node_count = nodes->len;
	pattern->nodes = (uint32_t *)(void *)g_array_free(nodes, FALSE);
}

/* ---- Ranges ---- */

/* Nodes of all longer patterns that contain the pattern: a GArray of uint32_t, ascending. */
static GArray *nodes_of_longer(const struct itp_pattern *pattern, const GPtrArray *patterns)
{
	GArray *nodes = g_array_new(FALSE, FALSE, sizeof(uint32_t));

	for (guint i = 0; i < patterns->len; i++) {
		const struct itp_pattern *other = g_ptr_array_index(patterns, i);

		if (other->length > pattern->length &&
		    itp_is_subsequence(pattern->functions, pattern->length, other->functions,
				       other->length)) {
			g_array_append_vals(nodes, other->nodes, other->node_count);
		}
	}
	g_array_sort(nodes, itp_order_of_ids);
	return nodes;
}

static void add_range(GArray *ranges, uint32_t begin, uint32_t end)
{
	const struct itp_node_range range = { begin, end };

	if (begin < end) {
		g_array_append_val(ranges, range);
	}
}

/* Ranges at and below the pattern's nodes, without those of longer patterns. */
static GArray *ranges_without(const struct itp_pattern *pattern, const GArray *longer,
			      const struct itp_forest *forest)
{
	GArray *ranges = g_array_new(FALSE, FALSE, sizeof(struct itp_node_range));
	guint k = 0;

	for (uint32_t i = 0; i < pattern->node_count; i++) {
		uint32_t begin = pattern->nodes[i];
		uint32_t end = forest->nodes[begin].end;

		for (; k < longer->len && g_array_index(longer, uint32_t, k) < end; k++) {
			uint32_t node = g_array_index(longer, uint32_t, k);

			add_range(ranges, begin, node);
			begin = MAX(begin, forest->nodes[node].end);
		}
		add_range(ranges, begin, end);
	}
	return ranges;
}

void itp_patterns_count(const GPtrArray *patterns, const struct itp_forest *forest)
{
	for (guint i = 0; i < patterns->len; i++) {
		struct itp_pattern *pattern = g_ptr_array_index(patterns, i);
		g_autoptr(GArray) longer = nodes_of_longer(pattern, patterns);

		pattern->ranges = ranges_without(pattern, longer, forest);
	}
}

static gint compare_ranges(gconstpointer a, gconstpointer b)
{
	const struct itp_node_range *left = a;
	const struct itp_node_range *right = b;

	return ITP_ORDER(left->begin, right->begin);
}

GArray *itp_patterns_ranges(const GPtrArray *patterns)
{
	g_autoptr(GArray) all = g_array_new(FALSE, FALSE, sizeof(struct itp_node_range));
	GArray *ranges = g_array_new(FALSE, FALSE, sizeof(struct itp_node_range));
	uint32_t covered = 0;

	for (guint i = 0; i < patterns->len; i++) {
		const struct itp_pattern *pattern = g_ptr_array_index(patterns, i);

		g_array_append_vals(all, pattern->ranges->data, pattern->ranges->len);
	}
	g_array_sort(all, compare_ranges);
	for (guint i = 0; i < all->len; i++) {
		const struct itp_node_range *range = &g_array_index(all, struct itp_node_range, i);

		add_range(ranges, MAX(range->begin, covered), range->end);
		covered = MAX(covered, range->end);
	}
	return ranges;
}

struct itp_stacks_sum itp_ranges_sum(const GArray *ranges, const struct itp_forest *forest,
				     const struct itp_stack_set *set)
{
	struct itp_stacks_sum sum = { 0, 0 };

	for (guint i = 0; i < ranges->len; i++) {
		const struct itp_node_range *range =
			&g_array_index(ranges, struct itp_node_range, i);

		for (uint32_t k = forest->first[range->begin]; k < forest->first[range->end]; k++) {
			const struct itp_stack *stack =
				&g_array_index(set->stacks, struct itp_stack, forest->stacks[k]);

			sum.cost_ns += stack->cost_ns;
			sum.events += stack->events;
		}
	}
	return sum;
}
