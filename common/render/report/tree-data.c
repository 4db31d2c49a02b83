/* SPDX-License-Identifier: MIT */
/*
 * See tree-data.h. Pictures of the tree need few numbers of all nodes, read first by the page
 * (nodes.js): how many there are, how many of them have statistics (stats-data.c), and columns
 * (packed.h), each with a number for every node.
 *
 *   number - the parent's number, 0 for a process
 *   function * 2, + 1 for a node waiting for work
 *   own latency in the suspect, and in the base if given
 *   thousandths of these in which the node was blocked, waiting for a CPU, in neither and not on a
 * CPU either as far as known; in the suspect, and in the base if given
 */
#include "common/render/report/tree-data.h"

#include <math.h>

#include "common/base/hash.h"
#include "common/base/labels.h"
#include "common/rank/side.h"
#include "common/render/entries.h"
#include "common/render/json.h"
#include "common/render/report/packed.h"

/* Contexts with statistics, at most, unless ranked paths have more: a context takes 65 bytes of the
 * page with statistics and 10 without, so that a page of 366 000 contexts stays below 5 MB. */
#define KEPT_MOST 12288
/* Contexts of a culprit that the page lists (details.js). */
#define VARIANTS_LISTED 8
/* Time of a node in which no workload was. */
#define UNUSED (-1)

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
		g_autofree char *name = itp_function_shown_name(function);

		array = json_array();
		json_array_append_new(array, itp_tree_data_name(name));
		json_array_append_new(array, json_integer(module_number(table, function->module)));
		json_array_append_new(array, json_integer(function->layer));
		json_array_append_new(array, json_string(itp_kind_of(table->ranking, id)));
		json_array_append_new(table->function_array, array);
		table->functions[id] = (uint32_t)json_array_size(table->function_array);
	}
	return table->functions[id] - 1;
}

/* ---- Nodes ---- */

static bool has_stats(const struct itp_profile *profile, uint32_t node)
{
	const struct itp_node_stats *stats = profile ? itp_profile_peek(profile, node) : NULL;

	return stats && (stats->count > 0 || stats->lost_count > 0 || stats->total_ns != 0 ||
			 stats->own_ns != 0);
}

/* By node: true on a ranked path, and on the way to a context of its culprit that is listed. Owned
 * by the caller. */
static bool *find_ranked(const struct itp_ranking *ranking)
{
	uint32_t size = itp_context_tree_size(ranking->tree);
	bool *is_ranked = g_new0(bool, size);

	for (guint i = 0; i < ranking->paths->len; i++) {
		const struct itp_ranked_path *path = itp_path_at(ranking, i);

		for (uint32_t k = 0; k < path->frame_count; k++) {
			is_ranked[path->frames[k].node] = true;
		}
		for (uint32_t k = 0; k < MIN(path->variant_count, VARIANTS_LISTED); k++) {
			is_ranked[path->variants[k].node] = true;
		}
	}
	for (uint32_t node = size; node-- > 1;) {
		is_ranked[itp_context_tree_get(ranking->tree, node)->parent] |= is_ranked[node];
	}
	return is_ranked;
}

/* Time (ns) of a node in a workload; UNUSED without any. */
static int64_t time_of_node(const struct itp_profile *profile, uint32_t node)
{
	return has_stats(profile, node) ? MAX(itp_profile_peek(profile, node)->total_ns, 0) :
					  UNUSED;
}

/* By node: time (ns) of the node or of a node below it, whichever has most; UNUSED where no
 * workload was. Owned by the caller. */
static int64_t *find_times(const struct itp_ranking *ranking)
{
	uint32_t size = itp_context_tree_size(ranking->tree);
	int64_t *times = g_new(int64_t, size);

	for (uint32_t node = 0; node < size; node++) {
		times[node] = MAX(time_of_node(ranking->suspect, node),
				  time_of_node(ranking->base, node));
	}
	for (uint32_t node = size; node-- > 1;) {
		int64_t *above = &times[itp_context_tree_get(ranking->tree, node)->parent];

		*above = MAX(*above, times[node]);
	}
	return times;
}

static gint compare_falling(gconstpointer a, gconstpointer b)
{
	int64_t first = *(const int64_t *)a;
	int64_t second = *(const int64_t *)b;

	return (first < second) - (first > second);
}

/* Time (ns) that is too little for a context to be kept beside the ranked ones. */
static int64_t find_limit(const int64_t *times, const bool *is_ranked, uint32_t size)
{
	g_autoptr(GArray) others = g_array_new(FALSE, FALSE, sizeof(int64_t));
	guint room = KEPT_MOST;

	for (uint32_t node = 1; node < size; node++) {
		if (is_ranked[node]) {
			room -= MIN(room, 1);
		} else if (times[node] != UNUSED) {
			g_array_append_val(others, times[node]);
		}
	}
	g_array_sort(others, compare_falling);
	return room < others->len ? g_array_index(others, int64_t, room) : UNUSED;
}

/* Numbers used nodes: those of ranked paths, those with most time, the rest. In each part parents
 * come before their children, as in the ranking's tree; no child is in an earlier part. */
static void number_nodes(struct itp_tree_data *table)
{
	uint32_t size = itp_context_tree_size(table->ranking->tree);
	g_autofree bool *is_ranked = find_ranked(table->ranking);
	g_autofree int64_t *times = find_times(table->ranking);
	int64_t limit = find_limit(times, is_ranked, size);
	uint32_t *const ends[] = { &table->ranked_count, &table->kept_count, &table->node_count };
	uint32_t count = 0;

	table->numbers = g_new0(uint32_t, size);
	table->nodes = g_new(uint32_t, size);
	for (size_t part = 0; part < G_N_ELEMENTS(ends); part++) {
		for (uint32_t node = 1; node < size; node++) {
			size_t own_part = is_ranked[node] ? 0 : times[node] > limit ? 1 : 2;

			if (times[node] != UNUSED && own_part == part) {
				table->nodes[count++] = node;
				table->numbers[node] = count;
			}
		}
		*ends[part] = count;
	}
}

static int64_t parent_distance(struct itp_tree_data *table, uint32_t node)
{
	uint32_t parent = table->numbers[itp_context_tree_get(table->ranking->tree, node)->parent];

	return parent ? table->numbers[node] - parent : 0;
}

static int64_t function_number(struct itp_tree_data *table, uint32_t node)
{
	const struct itp_ranking *ranking = table->ranking;
	uint32_t function = itp_context_tree_get(ranking->tree, node)->function;
	bool is_apart = itp_ranking_is_apart(ranking, node);

	return 2 * (int64_t)itp_tree_data_function(table, function) + is_apart;
}

static int64_t own_of(const struct itp_node_stats *stats)
{
	return stats->own_ns;
}

/* 0 without own time. */
static int64_t thousandths(const struct itp_node_stats *stats, int64_t part_ns)
{
	return stats->own_ns > 0 ? llround(1000 * (double)CLAMP(part_ns, 0, stats->own_ns) /
					   (double)stats->own_ns) :
				   0;
}

static int64_t blocked_part(const struct itp_node_stats *stats)
{
	return thousandths(stats, stats->own_use.blocked_ns);
}

static int64_t waiting_part(const struct itp_node_stats *stats)
{
	return thousandths(stats, stats->own_use.runnable_ns);
}

static int64_t unknown_part(const struct itp_node_stats *stats)
{
	const struct itp_time_use *use = &stats->own_use;

	return thousandths(stats, stats->own_ns - use->cpu_ns - use->blocked_ns - use->runnable_ns);
}

static void append_values(struct itp_tree_data *table,
			  int64_t (*value)(struct itp_tree_data *table, uint32_t node),
			  GByteArray *bytes)
{
	g_autofree int64_t *values = g_new(int64_t, table->node_count);

	for (uint32_t i = 0; i < table->node_count; i++) {
		values[i] = value(table, table->nodes[i]);
	}
	itp_packed_append_column(bytes, values, table->node_count);
}

static void append_numbers(const struct itp_tree_data *table, const struct itp_profile *profile,
			   int64_t (*number)(const struct itp_node_stats *stats), GByteArray *bytes)
{
	g_autofree int64_t *values = g_new(int64_t, table->node_count);

	for (uint32_t i = 0; profile && i < table->node_count; i++) {
		values[i] = number(itp_profile_peek(profile, table->nodes[i]));
	}
	if (profile) {
		itp_packed_append_column(bytes, values, table->node_count);
	}
}

void itp_tree_data_append_nodes(struct itp_tree_data *table, GString *output)
{
	int64_t (*const parts[])(const struct itp_node_stats *) = { blocked_part, waiting_part,
								    unknown_part };
	const struct itp_profile *const sides[] = { table->ranking->suspect, table->ranking->base };
	g_autoptr(GByteArray) bytes = g_byte_array_new();

	itp_packed_append(bytes, table->node_count);
	itp_packed_append(bytes, table->kept_count);
	append_values(table, parent_distance, bytes);
	append_values(table, function_number, bytes);
	for (size_t side = 0; side < G_N_ELEMENTS(sides); side++) {
		append_numbers(table, sides[side], own_of, bytes);
	}
	for (size_t side = 0; side < G_N_ELEMENTS(sides); side++) {
		for (size_t i = 0; i < G_N_ELEMENTS(parts); i++) {
			append_numbers(table, sides[side], parts[i], bytes);
		}
	}
	itp_packed_append_text(bytes, output);
}

json_t *itp_tree_data_node(const struct itp_tree_data *table, uint32_t node)
{
	return table->numbers[node] ? json_integer(table->numbers[node] - 1) : json_null();
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
	g_free(table->nodes);
	g_free(table->numbers);
}
