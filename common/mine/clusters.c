/* SPDX-License-Identifier: MIT */
/*
 * See clusters.h.
 */
#include "common/mine/clusters.h"

#include <string.h>

#include "common/base/order.h"
#include "common/mine/counting.h"

/* ---- Patterns that come together ---- */

static bool is_part_of(const struct itp_pattern *part, const struct itp_pattern *whole)
{
	return part->length < whole->length &&
	       itp_is_subsequence(part->functions, part->length, whole->functions, whole->length);
}

/* Similarity of a pattern and a part of it, in cuts: below 1 in spite of rounding. */
#define PART_SIMILARITY 0.999

/* A pattern that is part of another is told for the stacks without the longer one. Being part of it
 * says nothing of their causes: no reason to join the two, which might hide the rest of the longer
 * one, and none to keep them apart where others join them. */
static float pattern_likeness(struct itp_stack_statistics *statistics,
			      const struct itp_pattern *left, const struct itp_pattern *right,
			      const struct itp_cluster_options *options)
{
	double similarity = is_part_of(left, right) || is_part_of(right, left) ?
				    PART_SIMILARITY * options->cut :
				    itp_similarity(statistics, left, right);

	return (float)(options->similarity == ITP_SIMILARITY_PAPER ?
			       similarity :
			       itp_innermost_likeness(itp_stack_statistics_innermost(statistics),
						      left, right, similarity));
}

/* Of the first `count` patterns; free with g_free(). */
static float *compare_all(const struct itp_mined_patterns *patterns, guint count,
			  struct itp_stack_statistics *statistics,
			  const struct itp_cluster_options *options)
{
	float *similarity = g_new0(float, (size_t)count *count + 1);

	for (guint a = 0; a < count; a++) {
		for (guint b = a + 1; b < count; b++) {
			float alike = pattern_likeness(
				statistics, &g_array_index(patterns->list, struct itp_pattern, a),
				&g_array_index(patterns->list, struct itp_pattern, b), options);

			similarity[(size_t)a * count + b] = alike;
			similarity[(size_t)b * count + a] = alike;
		}
	}
	return similarity;
}

/* ---- Cost of a cluster ---- */

static const struct itp_pattern *pattern_of(const struct itp_cluster *cluster,
					    const struct itp_mined_patterns *patterns, guint i)
{
	return &g_array_index(patterns->list, struct itp_pattern,
			      g_array_index(cluster->patterns, guint, i));
}

GArray *itp_cluster_ranges(const struct itp_cluster *cluster,
			   const struct itp_mined_patterns *patterns)
{
	g_autoptr(GPtrArray) list = g_ptr_array_new();

	for (guint i = 0; i < cluster->patterns->len; i++) {
		g_ptr_array_add(list, (void *)pattern_of(cluster, patterns, i));
	}
	return itp_patterns_ranges(list);
}

/* Traces by stack: those of stack i are from first[i] up to first[i + 1]. */
struct trace_lists {
	uint32_t *first;
	uint32_t *traces;
	uint32_t trace_count;
};

static void trace_lists_init(struct trace_lists *lists, const struct itp_stack_set *set)
{
	const GArray *pairs = set->traces;

	*lists = (struct trace_lists){ .first = g_new0(uint32_t, set->stacks->len + 2),
				       .traces = g_new(uint32_t, pairs->len + 1) };
	for (guint i = 0; i < pairs->len; i++) {
		const struct itp_stack_trace *pair =
			&g_array_index(pairs, struct itp_stack_trace, i);

		lists->first[pair->stack + 2]++;
		lists->trace_count = MAX(lists->trace_count, pair->trace + 1);
	}
	for (guint i = 2; i < set->stacks->len + 2; i++) {
		lists->first[i] += lists->first[i - 1];
	}
	for (guint i = 0; i < pairs->len; i++) {
		const struct itp_stack_trace *pair =
			&g_array_index(pairs, struct itp_stack_trace, i);

		lists->traces[lists->first[pair->stack + 1]++] = pair->trace;
	}
}

static void trace_lists_release(struct trace_lists *lists)
{
	g_free(lists->first);
	g_free(lists->traces);
}

/* Notes the traces of the stacks that end in the range. */
static void add_traces(const struct itp_forest *forest, const struct itp_node_range *range,
		       const struct trace_lists *lists, bool *is_in)
{
	for (uint32_t i = forest->first[range->begin]; i < forest->first[range->end]; i++) {
		uint32_t stack = forest->stacks[i];

		for (uint32_t k = lists->first[stack]; k < lists->first[stack + 1]; k++) {
			is_in[lists->traces[k]] = true;
		}
	}
}

static void weigh(struct itp_cluster *cluster, const struct itp_mined_patterns *patterns,
		  const struct itp_stack_set *set, const struct trace_lists *lists)
{
	g_autoptr(GArray) ranges = itp_cluster_ranges(cluster, patterns);
	struct itp_stacks_sum sum = itp_ranges_sum(ranges, &patterns->forest, set);
	g_autofree bool *is_in = g_new0(bool, lists->trace_count + 1);

	cluster->cost_ns = sum.cost_ns;
	cluster->events = sum.events;
	for (guint i = 0; i < ranges->len; i++) {
		add_traces(&patterns->forest, &g_array_index(ranges, struct itp_node_range, i),
			   lists, is_in);
	}
	for (uint32_t i = 0; i < lists->trace_count; i++) {
		cluster->traces += is_in[i];
	}
}

/* ---- Functions shared by its patterns ---- */

/* Makes `common` (uint32_t) its longest common subsequence with the pattern, of several the one
 * with the earliest functions. */
static void narrow(GArray *common, const struct itp_pattern *pattern)
{
	const size_t width = (size_t)pattern->length + 1;
	g_autofree uint32_t *lengths = g_new0(uint32_t, (common->len + 1) * width);
	guint kept = 0;
	guint i = 0;
	uint32_t k = 0;

	for (guint a = common->len; a-- > 0;) {
		for (uint32_t b = pattern->length; b-- > 0;) {
			lengths[a * width + b] = g_array_index(common, uint32_t, a) ==
								 pattern->functions[b] ?
							 lengths[(a + 1) * width + b + 1] + 1 :
							 MAX(lengths[(a + 1) * width + b],
							     lengths[a * width + b + 1]);
		}
	}
	while (i < common->len && k < pattern->length) {
		if (g_array_index(common, uint32_t, i) == pattern->functions[k]) {
			g_array_index(common, uint32_t, kept++) = pattern->functions[k++];
			i++;
		} else if (lengths[(i + 1) * width + k] >= lengths[i * width + k + 1]) {
			i++;
		} else {
			k++;
		}
	}
	g_array_set_size(common, kept);
}

static void find_common(struct itp_cluster *cluster, const struct itp_mined_patterns *patterns)
{
	for (guint i = 0; i < cluster->patterns->len; i++) {
		const struct itp_pattern *pattern = pattern_of(cluster, patterns, i);

		if (i == 0) {
			g_array_append_vals(cluster->common, pattern->functions, pattern->length);
		} else {
			narrow(cluster->common, pattern);
		}
	}
}

/* ---- Everything ---- */

static void clear_cluster(gpointer data)
{
	struct itp_cluster *cluster = data;

	g_array_unref(cluster->patterns);
	g_array_unref(cluster->common);
}

/* `first` is of itp_agglomerate(), for the first `count` patterns; the others stay alone. */
static void make_clusters(struct itp_clusters *clusters, const guint *first, guint count,
			  guint pattern_count)
{
	/* By pattern: its cluster. */
	g_autofree guint *place = g_new0(guint, pattern_count + 1);

	for (guint i = 0; i < pattern_count; i++) {
		if (i < count && first[i] != i) {
			place[i] = place[first[i]];
		} else {
			const struct itp_cluster cluster = {
				.patterns = g_array_new(FALSE, FALSE, sizeof(guint)),
				.common = g_array_new(FALSE, FALSE, sizeof(uint32_t)),
			};

			place[i] = clusters->list->len;
			g_array_append_val(clusters->list, cluster);
		}
		g_array_append_val(
			g_array_index(clusters->list, struct itp_cluster, place[i]).patterns, i);
	}
}

static double cluster_value(const struct itp_cluster *cluster, enum itp_cluster_order order)
{
	switch (order) {
	case ITP_CLUSTERS_BY_TOTAL:
		return (double)cluster->cost_ns;
	case ITP_CLUSTERS_BY_TRACES:
		return cluster->traces;
	case ITP_CLUSTERS_BY_EVENTS:
		return (double)cluster->events;
	case ITP_CLUSTERS_BY_AVERAGE:
		break;
	}
	return (double)cluster->cost_ns / (double)MAX(cluster->events, 1);
}

static gint compare_clusters(gconstpointer a, gconstpointer b, gpointer order)
{
	const struct itp_cluster *left = a;
	const struct itp_cluster *right = b;
	double left_value = cluster_value(left, *(const enum itp_cluster_order *)order);
	double right_value = cluster_value(right, *(const enum itp_cluster_order *)order);
	guint left_first = g_array_index(left->patterns, guint, 0);
	guint right_first = g_array_index(right->patterns, guint, 0);

	return ITP_ORDER(right_value, left_value) ?: ITP_ORDER(left_first, right_first);
}

void itp_clusters_init(struct itp_clusters *clusters, const struct itp_mined_patterns *patterns,
		       const struct itp_stack_set *set, struct itp_stack_statistics *statistics,
		       const struct itp_cluster_options *options)
{
	enum itp_cluster_order order = options->order;
	const guint count = MIN(patterns->list->len, ITP_MAX_CLUSTERED);
	g_autofree float *similarity = compare_all(patterns, count, statistics, options);
	g_autofree guint *first = g_new(guint, count + 1);
	struct trace_lists lists;

	clusters->list = g_array_new(FALSE, FALSE, sizeof(struct itp_cluster));
	g_array_set_clear_func(clusters->list, clear_cluster);
	itp_agglomerate(similarity, count, options->linkage, options->cut, first);
	make_clusters(clusters, first, count, patterns->list->len);
	trace_lists_init(&lists, set);
	for (guint i = 0; i < clusters->list->len; i++) {
		struct itp_cluster *cluster = &g_array_index(clusters->list, struct itp_cluster, i);

		weigh(cluster, patterns, set, &lists);
		find_common(cluster, patterns);
	}
	trace_lists_release(&lists);
	g_array_sort_with_data(clusters->list, compare_clusters, &order);
}

void itp_clusters_release(struct itp_clusters *clusters)
{
	g_clear_pointer(&clusters->list, g_array_unref);
}

/* Marks the stacks that end in the range. Returns the cost of those not marked before. */
static int64_t mark_stacks(const struct itp_forest *forest, const struct itp_node_range *range,
			   const struct itp_stack_set *set, bool *is_marked)
{
	int64_t cost_ns = 0;

	for (uint32_t i = forest->first[range->begin]; i < forest->first[range->end]; i++) {
		uint32_t stack = forest->stacks[i];

		cost_ns += is_marked[stack] ?
				   0 :
				   g_array_index(set->stacks, struct itp_stack, stack).cost_ns;
		is_marked[stack] = true;
	}
	return cost_ns;
}

GArray *itp_clusters_coverage(const struct itp_clusters *clusters,
			      const struct itp_mined_patterns *patterns,
			      const struct itp_stack_set *set)
{
	GArray *coverage = g_array_new(FALSE, FALSE, sizeof(int64_t));
	g_autofree bool *is_marked = g_new0(bool, set->stacks->len + 1);
	int64_t cost_ns = 0;

	for (guint c = 0; c < clusters->list->len; c++) {
		g_autoptr(GArray) ranges = itp_cluster_ranges(
			&g_array_index(clusters->list, struct itp_cluster, c), patterns);

		for (guint i = 0; i < ranges->len; i++) {
			cost_ns += mark_stacks(&patterns->forest,
					       &g_array_index(ranges, struct itp_node_range, i),
					       set, is_marked);
		}
		g_array_append_val(coverage, cost_ns);
	}
	return coverage;
}
