/* SPDX-License-Identifier: MIT */
/*
 * See node-table.h. Statistics lie in blocks, in the order of their nodes' arrival: nodes used
 * together came together, and no block ever moves.
 */
#include "common/infer/node-table.h"

#include <glib.h>

#include "common/infer/node-stats.h"

/* Statistics in a block, 6 KB. */
#define BLOCK_NODES 16

struct itp_node_table {
	/* uint32_t by node: the number of its statistics, counted from 1; 0 without any. Owned by
	 * this. */
	GArray *numbers;
	/* struct itp_node_stats [BLOCK_NODES]. Owned by this. */
	GPtrArray *blocks;
	/* Number given last. */
	uint32_t last;
};

struct itp_node_table *itp_node_table_new(void)
{
	struct itp_node_table *table = g_new0(struct itp_node_table, 1);

	table->numbers = g_array_new(FALSE, TRUE, sizeof(uint32_t));
	table->blocks = g_ptr_array_new_with_free_func(g_free);
	return table;
}

void itp_node_table_free(struct itp_node_table *table)
{
	g_array_unref(table->numbers);
	g_ptr_array_unref(table->blocks);
	g_free(table);
}

uint32_t itp_node_table_limit(const struct itp_node_table *table)
{
	return table->numbers->len;
}

static struct itp_node_stats *numbered(const struct itp_node_table *table, uint32_t number)
{
	struct itp_node_stats *block = g_ptr_array_index(table->blocks, (number - 1) / BLOCK_NODES);

	return &block[(number - 1) % BLOCK_NODES];
}

struct itp_node_stats *itp_node_table_find(const struct itp_node_table *table, uint32_t node)
{
	uint32_t number =
		node < table->numbers->len ? g_array_index(table->numbers, uint32_t, node) : 0;

	return number > 0 ? numbered(table, number) : NULL;
}

struct itp_node_stats *itp_node_table_get(struct itp_node_table *table, uint32_t node)
{
	struct itp_node_stats *stats = itp_node_table_find(table, node);

	if (stats) {
		return stats;
	}
	if (node >= table->numbers->len) {
		g_array_set_size(table->numbers, node + 1);
	}
	if (table->last == table->blocks->len * BLOCK_NODES) {
		g_ptr_array_add(table->blocks, g_new0(struct itp_node_stats, BLOCK_NODES));
	}
	g_array_index(table->numbers, uint32_t, node) = ++table->last;
	return numbered(table, table->last);
}

void itp_node_table_truncate(struct itp_node_table *table, uint32_t limit)
{
	g_array_set_size(table->numbers, MIN(table->numbers->len, limit));
}
