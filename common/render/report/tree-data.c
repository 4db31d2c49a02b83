/* SPDX-License-Identifier: MIT */
/*
 * See tree-data.h. Trees are large: a node is an array, statistics end with their last member that
 * is not 0, and tell what follows from other members as the difference from that:
 *
 *   nodes[i] = [i - parent, function, suspect, base, waits for work]   parent 0: a process
 *   suspect  = [count, total, total - lower, upper - total, blocked, runnable, unknown,
 *               min, max, [bucket, count, ...], calls unseen + 1, lost,
 *               own - (total - children's total), and the same for the times on the CPU, blocked
 *               and runnable,
 *               ticks behind the own time on the CPU, and its standard deviation]
 *
 * The calls that may have been unseen are left out when there is no limit. min, max and histogram
 * are 0 for one call that lasted the total. A slow call is
 *
 *   [node, thread, begin since that of its recording, latency, latency - lower, upper - latency,
 *    recording]
 *
 * data.js reads this.
 */
#include "common/render/report/tree-data.h"

#include <math.h>

#include "common/base/hash.h"
#include "common/base/labels.h"
#include "common/rank/side.h"
#include "common/render/cells.h"
#include "common/render/formats.h"
#include "common/render/json.h"
#include "common/render/units.h"

#define HISTOGRAM 9
#define STATS_LENGTH 18

/* What of a node's statistics its children have. */
struct sums {
	int64_t total_ns;
	struct itp_time_use use;
};

/* ---- Functions ---- */

json_t *itp_tree_data_name(const char *text)
{
	g_autofree char *clean = itp_label_clean(text);

	return json_string_nocheck(clean);
}

static uint32_t module_number(struct itp_tree_data *table, const char *module)
{
	guint number = GPOINTER_TO_UINT(g_hash_table_lookup(table->modules, module));

	if (number == 0) {
		json_array_append_new(table->module_array,
				      module[0] ? itp_tree_data_name(module) : json_string(""));
		number = (guint)json_array_size(table->module_array);
		g_hash_table_insert(table->modules, (gpointer)module, GUINT_TO_POINTER(number));
	}
	return number - 1;
}

uint32_t itp_tree_data_function(struct itp_tree_data *table, uint32_t id)
{
	const struct itp_function *function = itp_function_at(table->ranking, id);
	json_t *array;

	if (table->functions[id] == 0) {
		array = json_array();
		json_array_append_new(array, itp_tree_data_name(function->name));
		json_array_append_new(array, json_integer(module_number(table, function->module)));
		json_array_append_new(array, json_integer(function->layer));
		json_array_append_new(array, json_string(itp_kind_of(table->ranking, id)));
		json_array_append_new(table->function_array, array);
		table->functions[id] = (uint32_t)json_array_size(table->function_array);
	}
	return table->functions[id] - 1;
}

/* ---- Nodes ---- */

static bool is_single(const struct itp_node_stats *stats)
{
	return stats->count == 1 && stats->min_ns == stats->total_ns &&
	       stats->max_ns == stats->total_ns;
}

static json_t *histogram_array(const struct itp_node_stats *stats)
{
	json_t *array = json_array();

	for (size_t bucket = 0; bucket < ITP_HISTOGRAM_BUCKETS; bucket++) {
		if (stats->histogram[bucket] > 0) {
			json_array_append_new(array, json_integer((json_int_t)bucket));
			json_array_append_new(array, json_integer(stats->histogram[bucket]));
		}
	}
	return array;
}

/* 0 when there is no limit. */
static int64_t unseen_calls(const struct itp_node_stats *stats,
			    const struct itp_infer_counts *counts)
{
	uint64_t unseen = itp_calls_unseen(itp_node_stats_calls(stats, counts));

	return unseen == ITP_CALLS_UNKNOWN ? 0 : (int64_t)unseen + 1;
}

/* The numbers, HISTOGRAM left 0. Returns how many there are up to the last one that is not 0. */
static size_t stats_numbers(const struct itp_node_stats *stats,
			    const struct itp_infer_counts *counts, const struct sums *children,
			    int64_t ret_numbers[STATS_LENGTH])
{
	const struct itp_time_use *use = &stats->use;
	bool single = is_single(stats) || stats->count == 0;
	const struct itp_ticks ticks = itp_node_stats_ticks(stats);
	const int64_t numbers[STATS_LENGTH] = {
		(int64_t)MIN(stats->count, (uint64_t)INT64_MAX),
		stats->total_ns,
		stats->total_ns - stats->lower_ns,
		stats->upper_ns - stats->total_ns,
		use->blocked_ns,
		use->runnable_ns,
		stats->total_ns - use->cpu_ns - use->blocked_ns - use->runnable_ns,
		single ? 0 : stats->min_ns,
		single ? 0 : stats->max_ns,
		0,
		unseen_calls(stats, counts),
		(int64_t)stats->lost_count,
		stats->own_ns - (stats->total_ns - children->total_ns),
		stats->own_use.cpu_ns - (use->cpu_ns - children->use.cpu_ns),
		stats->own_use.blocked_ns - (use->blocked_ns - children->use.blocked_ns),
		stats->own_use.runnable_ns - (use->runnable_ns - children->use.runnable_ns),
		(int64_t)ticks.samples,
		llround(itp_ticks_deviation_ns(&ticks)),
	};
	size_t length = single ? 0 : HISTOGRAM + 1;

	for (size_t i = 0; i < STATS_LENGTH; i++) {
		ret_numbers[i] = numbers[i];
		length = numbers[i] != 0 ? MAX(length, i + 1) : length;
	}
	return length;
}

static json_t *stats_value(const struct itp_node_stats *stats,
			   const struct itp_infer_counts *counts, const struct sums *children)
{
	int64_t numbers[STATS_LENGTH];
	size_t length = stats_numbers(stats, counts, children, numbers);
	json_t *array;

	if (length == 0) {
		return json_integer(0);
	}
	array = json_array();
	for (size_t i = 0; i < length; i++) {
		json_array_append_new(array, i == HISTOGRAM && !is_single(stats) ?
						     histogram_array(stats) :
						     json_integer(numbers[i]));
	}
	return array;
}

static bool has_stats(const struct itp_profile *profile, uint32_t node)
{
	const struct itp_node_stats *stats = profile ? itp_profile_peek(profile, node) : NULL;

	return stats && (stats->count > 0 || stats->lost_count > 0 || stats->total_ns != 0 ||
			 stats->own_ns != 0);
}

/* Numbers for all nodes that a workload has been in, or that lead to one. Parents come first. */
static void number_nodes(struct itp_tree_data *table)
{
	const struct itp_ranking *ranking = table->ranking;
	uint32_t size = itp_context_tree_size(ranking->tree);
	uint32_t count = 0;

	table->numbers = g_new0(uint32_t, size);
	for (uint32_t node = size; node-- > 1;) {
		if (table->numbers[node] || has_stats(ranking->suspect, node) ||
		    has_stats(ranking->base, node)) {
			table->numbers[node] = 1;
			table->numbers[itp_context_tree_get(ranking->tree, node)->parent] = 1;
		}
	}
	table->numbers[ITP_CONTEXT_ROOT] = 0;
	for (uint32_t node = 1; node < size; node++) {
		table->numbers[node] = table->numbers[node] ? ++count : 0;
	}
}

/* By node: the sums over its children. The caller frees it. */
static struct sums *sum_children(const struct itp_ranking *ranking,
				 const struct itp_profile *profile)
{
	uint32_t size = itp_context_tree_size(ranking->tree);
	struct sums *sums = g_new0(struct sums, size);

	for (uint32_t node = 1; profile && node < size; node++) {
		const struct itp_node_stats *stats = itp_profile_peek(profile, node);
		struct sums *parent = &sums[itp_context_tree_get(ranking->tree, node)->parent];

		parent->total_ns += stats->total_ns;
		itp_time_use_add(&parent->use, &stats->use, 1);
	}
	return sums;
}

static json_t *node_array(struct itp_tree_data *table, uint32_t node,
			  const struct sums *suspect_sums, const struct sums *base_sums)
{
	const struct itp_ranking *ranking = table->ranking;
	const struct itp_context *context = itp_context_tree_get(ranking->tree, node);
	uint32_t number = table->numbers[node];
	uint32_t parent = table->numbers[context->parent];
	bool is_idle = ranking->is_idle && ranking->is_idle[node];
	json_t *array = json_array();

	json_array_append_new(array, json_integer(parent ? number - parent : 0));
	json_array_append_new(array,
			      json_integer(itp_tree_data_function(table, context->function)));
	json_array_append_new(array,
			      stats_value(itp_profile_peek(ranking->suspect, node),
					  &ranking->suspect->workload.counts, &suspect_sums[node]));
	if (ranking->base) {
		json_array_append_new(array, stats_value(itp_profile_peek(ranking->base, node),
							 &ranking->base->workload.counts,
							 &base_sums[node]));
	} else if (is_idle) {
		json_array_append_new(array, json_integer(0));
	}
	if (is_idle) {
		json_array_append_new(array, json_integer(1));
	}
	return array;
}

json_t *itp_tree_data_nodes(struct itp_tree_data *table)
{
	const struct itp_ranking *ranking = table->ranking;
	g_autofree struct sums *suspect_sums = sum_children(ranking, ranking->suspect);
	g_autofree struct sums *base_sums = sum_children(ranking, ranking->base);
	json_t *nodes = json_array();

	for (uint32_t node = 1; node < itp_context_tree_size(ranking->tree); node++) {
		if (table->numbers[node]) {
			json_array_append_new(nodes,
					      node_array(table, node, suspect_sums, base_sums));
		}
	}
	return nodes;
}

json_t *itp_tree_data_node(const struct itp_tree_data *table, uint32_t node)
{
	return table->numbers[node] ? json_integer(table->numbers[node] - 1) : json_null();
}

/* ---- Slowest calls ---- */

/* By node, which are part of a ranked path or lead to a context of its culprit. The caller frees
 * it. */
static bool *find_ranked(const struct itp_ranking *ranking)
{
	bool *is_ranked = g_new0(bool, itp_context_tree_size(ranking->tree));

	for (guint i = 0; i < ranking->paths->len; i++) {
		const struct itp_ranked_path *path = itp_path_at(ranking, i);

		for (uint32_t k = 0; k < path->frame_count; k++) {
			is_ranked[path->frames[k].node] = true;
		}
		for (uint32_t k = 0; k < path->variant_count; k++) {
			is_ranked[path->variants[k].node] = true;
		}
	}
	return is_ranked;
}

static json_t *slow_array(const struct itp_tree_data *table, bool of_base,
			  const struct itp_slow_call *call)
{
	json_t *array = json_array();
	struct itp_recording recording;

	itp_ranking_recording(table->ranking, of_base, call->run, &recording);
	json_array_append_new(array, itp_tree_data_node(table, call->node));
	json_array_append_new(array, json_integer(call->tid));
	json_array_append_new(array,
			      json_integer(itp_time_since_ns(call->begin_ns, recording.begin_ns)));
	json_array_append_new(array, json_integer(call->latency_ns));
	json_array_append_new(array, json_integer(call->latency_ns - call->lower_ns));
	json_array_append_new(array, json_integer(call->upper_ns - call->latency_ns));
	json_array_append_new(array, json_integer(call->run));
	return array;
}

/* All that are known of what is ranked, and the slowest of each other context. */
static json_t *slowest_array(const struct itp_tree_data *table, bool of_base)
{
	const struct itp_profile *profile = of_base ? table->ranking->base :
						      table->ranking->suspect;
	g_autofree bool *is_ranked = find_ranked(table->ranking);
	json_t *slowest = json_array();

	for (uint32_t node = 1; node < itp_context_tree_size(table->ranking->tree); node++) {
		size_t count = 0;
		const struct itp_slow_call *calls =
			itp_slowest_of_node(profile->slowest, node, &count);

		count = MIN(count, is_ranked[node] ? ITP_SLOWEST_COUNT : 1);
		for (size_t i = 0; table->numbers[node] && i < count; i++) {
			json_array_append_new(slowest, slow_array(table, of_base, &calls[i]));
		}
	}
	return slowest;
}

json_t *itp_tree_data_slowest(const struct itp_tree_data *table)
{
	json_t *object = json_object();

	json_object_set_new_nocheck(object, "suspect", slowest_array(table, false));
	if (table->ranking->base) {
		json_object_set_new_nocheck(object, "base", slowest_array(table, true));
	}
	return object;
}

/* ---- The whole ---- */

void itp_tree_data_init(struct itp_tree_data *table, const struct itp_ranking *ranking)
{
	*table = (struct itp_tree_data){
		.ranking = ranking,
		.functions = g_new0(uint32_t, itp_function_table_size(ranking->functions)),
		.modules = g_hash_table_new(itp_hash_text, g_str_equal),
		.function_array = json_array(),
		.module_array = json_array(),
	};
	number_nodes(table);
}

void itp_tree_data_release(struct itp_tree_data *table)
{
	json_decref(table->function_array);
	json_decref(table->module_array);
	g_hash_table_unref(table->modules);
	g_free(table->functions);
	g_free(table->numbers);
}
