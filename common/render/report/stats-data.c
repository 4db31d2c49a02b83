/* SPDX-License-Identifier: MIT */
/*
 * See tree-data.h. Few of the statistics of a large tree are ever looked at, so that the page reads
 * them late, in groups, and unpacks BLOCK_NODES nodes at once when one of them is asked for. A
 * group begins with the numbers
 *
 *   its first block, how many blocks it has, and how many bytes each of them
 *
 * and each block has for the suspect, and for the base if there is one, the columns (packed.h)
 *
 *   count, total, total - lower, upper - total, blocked, runnable, unknown, min, max,
 *   calls unseen + 1, lost, own time on the CPU - its time on the CPU,
 *   ticks behind that, its standard deviation
 *   of its histogram the buckets that are not empty: how many; of all these, bucket and count
 *   of its slowest calls: how many; of all these, thread, begin since that of its recording,
 * latency, latency - lower, upper - latency, recording
 *
 * Unseen calls are left out when there is no limit. min, max and histogram are 0 for a single call
 * of the total's length. stats.js reads this.
 */
#include <math.h>

#include "common/rank/side.h"
#include "common/render/cells.h"
#include "common/render/report/packed.h"
#include "common/render/report/tree-data.h"
#include "common/render/units.h"

#define BLOCK_NODES 1024
/* A browser inflates a group in a few milliseconds. */
#define GROUP_BLOCKS 24
/* Blocks of the first group, too small to be divided. */
#define FIRST_BLOCKS 4
/* Slowest calls of contexts beside the ranked ones. */
#define OTHERS_SLOWEST 1

/* Columns of each node. */
#define STATS_LENGTH 14

struct columns {
	/* By column, then by node of the block. */
	int64_t stats[STATS_LENGTH][BLOCK_NODES];
	int64_t bucket_counts[BLOCK_NODES];
	int64_t call_counts[BLOCK_NODES];
	/* int64_t: buckets, and their calls. Owned by this. */
	GArray *buckets[2];
	/* int64_t, by column of the slow calls. Owned by this. */
	GArray *calls[6];
};

/* A side of the ranking. */
struct stats_side {
	/* Weak. */
	const struct itp_tree_data *table;
	const struct itp_profile *profile;
	bool of_base;
};

static void columns_init(struct columns *columns)
{
	for (size_t i = 0; i < G_N_ELEMENTS(columns->buckets); i++) {
		columns->buckets[i] = g_array_new(FALSE, FALSE, sizeof(int64_t));
	}
	for (size_t i = 0; i < G_N_ELEMENTS(columns->calls); i++) {
		columns->calls[i] = g_array_new(FALSE, FALSE, sizeof(int64_t));
	}
}

static void columns_release(struct columns *columns)
{
	for (size_t i = 0; i < G_N_ELEMENTS(columns->buckets); i++) {
		g_array_unref(columns->buckets[i]);
	}
	for (size_t i = 0; i < G_N_ELEMENTS(columns->calls); i++) {
		g_array_unref(columns->calls[i]);
	}
}

static void columns_clear(struct columns *columns)
{
	for (size_t i = 0; i < G_N_ELEMENTS(columns->buckets); i++) {
		g_array_set_size(columns->buckets[i], 0);
	}
	for (size_t i = 0; i < G_N_ELEMENTS(columns->calls); i++) {
		g_array_set_size(columns->calls[i], 0);
	}
}

/* ---- A node ---- */

/* 0 without a limit. */
static int64_t unseen_calls(const struct itp_node_stats *stats,
			    const struct itp_infer_counts *counts)
{
	uint64_t unseen = itp_calls_unseen(itp_node_stats_calls(stats, counts));

	return unseen == ITP_CALLS_UNKNOWN ? 0 : (int64_t)unseen + 1;
}

static bool is_single(const struct itp_node_stats *stats)
{
	return stats->count == 0 || (stats->count == 1 && stats->min_ns == stats->total_ns &&
				     stats->max_ns == stats->total_ns);
}

static void put_numbers(struct columns *columns, const struct stats_side *side,
			const struct itp_node_stats *stats, guint place)
{
	const struct itp_time_use *use = &stats->use;
	bool single = is_single(stats);
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
		unseen_calls(stats, &side->profile->workload.counts),
		(int64_t)stats->lost_count,
		stats->own_use.cpu_ns - use->cpu_ns,
		(int64_t)ticks.samples,
		llround(itp_ticks_deviation_ns(&ticks)),
	};

	for (size_t i = 0; i < STATS_LENGTH; i++) {
		columns->stats[i][place] = numbers[i];
	}
}

static void put_histogram(struct columns *columns, const struct itp_node_stats *stats, guint place)
{
	columns->bucket_counts[place] = 0;
	for (int64_t bucket = 0; !is_single(stats) && bucket < ITP_HISTOGRAM_BUCKETS; bucket++) {
		int64_t count = stats->histogram[bucket];

		if (count > 0) {
			columns->bucket_counts[place]++;
			g_array_append_val(columns->buckets[0], bucket);
			g_array_append_val(columns->buckets[1], count);
		}
	}
}

static int64_t recording_begin_ns(const struct stats_side *side, uint32_t run)
{
	struct itp_recording recording;

	itp_ranking_recording(side->table->ranking, side->of_base, run, &recording);
	return recording.begin_ns;
}

static void put_call(struct columns *columns, const struct stats_side *side,
		     const struct itp_slow_call *call)
{
	const int64_t values[] = {
		call->tid,
		itp_time_since_ns(call->begin_ns, recording_begin_ns(side, call->run)),
		call->latency_ns,
		call->latency_ns - call->lower_ns,
		call->upper_ns - call->latency_ns,
		call->run,
	};

	for (size_t i = 0; i < G_N_ELEMENTS(values); i++) {
		g_array_append_val(columns->calls[i], values[i]);
	}
}

/* All known calls of ranked contexts, and the slowest of each other context. */
static void put_calls(struct columns *columns, const struct stats_side *side, uint32_t number,
		      guint place)
{
	size_t most = number < side->table->ranked_count ? ITP_SLOWEST_COUNT : OTHERS_SLOWEST;
	size_t count = 0;
	const struct itp_slow_call *calls =
		itp_slowest_of_node(side->profile->slowest, side->table->nodes[number], &count);

	count = MIN(count, most);
	columns->call_counts[place] = (int64_t)count;
	for (size_t i = 0; i < count; i++) {
		put_call(columns, side, &calls[i]);
	}
}

/* ---- Blocks ---- */

static void append_values(const GArray *values, GByteArray *bytes)
{
	itp_packed_append_column(bytes, (const int64_t *)(const void *)values->data, values->len);
}

static void append_side(struct columns *columns, const struct stats_side *side, uint32_t first,
			GByteArray *bytes)
{
	uint32_t count = MIN(side->table->kept_count - first, BLOCK_NODES);

	columns_clear(columns);
	for (guint place = 0; place < count; place++) {
		const struct itp_node_stats *stats =
			itp_profile_peek(side->profile, side->table->nodes[first + place]);

		put_numbers(columns, side, stats, place);
		put_histogram(columns, stats, place);
		put_calls(columns, side, first + place, place);
	}
	for (size_t i = 0; i < STATS_LENGTH; i++) {
		itp_packed_append_column(bytes, columns->stats[i], count);
	}
	itp_packed_append_column(bytes, columns->bucket_counts, count);
	for (size_t i = 0; i < G_N_ELEMENTS(columns->buckets); i++) {
		append_values(columns->buckets[i], bytes);
	}
	itp_packed_append_column(bytes, columns->call_counts, count);
	for (size_t i = 0; i < G_N_ELEMENTS(columns->calls); i++) {
		append_values(columns->calls[i], bytes);
	}
}

static void append_block(struct columns *columns, const struct itp_tree_data *table, guint block,
			 GByteArray *bytes)
{
	const struct itp_ranking *ranking = table->ranking;
	const struct stats_side suspect = { .table = table, .profile = ranking->suspect };
	const struct stats_side base = { .table = table,
					 .profile = ranking->base,
					 .of_base = true };

	append_side(columns, &suspect, block * BLOCK_NODES, bytes);
	if (ranking->base) {
		append_side(columns, &base, block * BLOCK_NODES, bytes);
	}
}

static void append_group(struct columns *columns, const struct itp_tree_data *table, guint begin,
			 guint end, GString *output)
{
	g_autoptr(GByteArray) head = g_byte_array_new();
	g_autoptr(GByteArray) blocks = g_byte_array_new();

	itp_packed_append(head, begin);
	itp_packed_append(head, end - begin);
	for (guint block = begin; block < end; block++) {
		guint before = blocks->len;

		append_block(columns, table, block, blocks);
		itp_packed_append(head, blocks->len - before);
	}
	g_byte_array_append(head, blocks->data, blocks->len);
	itp_packed_append_text(head, output);
}

static guint blocks_of(uint32_t nodes)
{
	return (nodes + BLOCK_NODES - 1) / BLOCK_NODES;
}

void itp_tree_data_append_stats(const struct itp_tree_data *table, GString *ranked, GString *others)
{
	struct columns *columns = g_new(struct columns, 1);
	guint all = blocks_of(table->kept_count);
	guint first = MIN(all, MAX(blocks_of(table->ranked_count), FIRST_BLOCKS));

	columns_init(columns);
	append_group(columns, table, 0, first, ranked);
	for (guint begin = first; begin < all; begin += GROUP_BLOCKS) {
		g_string_append(others, "<script type=\"text/plain\" class=\"stats\">");
		append_group(columns, table, begin, MIN(begin + GROUP_BLOCKS, all), others);
		g_string_append(others, "</script>\n");
	}
	columns_release(columns);
	g_free(columns);
}
