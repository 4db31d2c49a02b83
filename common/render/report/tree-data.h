/* SPDX-License-Identifier: MIT */
/*
 * The calling context tree in the data of the page: every name once in a table, every context that
 * a workload has been in. Numbers of functions and nodes are places in these tables. Nodes of
 * ranked paths, and of contexts of their culprits, come first, then the nodes with most time; these
 * two have the statistics of both workloads, and the rest its own latencies only.
 *
 *   tree-data.c   the tables, and what pictures of the tree are drawn from
 *   stats-data.c  the statistics of its first nodes, and their slowest calls
 */
#ifndef ITP_RENDER_REPORT_TREE_DATA_H
#define ITP_RENDER_REPORT_TREE_DATA_H

#include <jansson.h>

#include "common/rank/ranking.h"

struct itp_tree_data {
	/* Weak. */
	const struct itp_ranking *ranking;
	/* By node of the ranking's tree: number in the table + 1, 0 = left out. Owned by this. */
	uint32_t *numbers;
	/* By number: the node. Owned by this. */
	uint32_t *nodes;
	uint32_t node_count;
	/* Number of nodes in ranked paths, and of all that have statistics. */
	uint32_t ranked_count;
	uint32_t kept_count;
	/* By function: number in the table + 1, 0 = not met yet. Owned by this. */
	uint32_t *functions;
	/* Module → number + 1. Owned by this; the keys are not. */
	GHashTable *modules;
	/* Filled by the functions below. Owned by this. */
	json_t *function_array;
	json_t *module_array;
};

/* `ranking` must outlive it. */
void itp_tree_data_init(struct itp_tree_data *table, const struct itp_ranking *ranking);
void itp_tree_data_release(struct itp_tree_data *table);

/* Number of a function, which enters the table when new. */
uint32_t itp_tree_data_function(struct itp_tree_data *table, uint32_t id);
/* Number of a node; null without one. A new reference, as all below. */
json_t *itp_tree_data_node(const struct itp_tree_data *table, uint32_t node);

/* Nodes and their own latencies, as text (packed.h). */
void itp_tree_data_append_nodes(struct itp_tree_data *table, GString *output);

/* stats-data.c: the statistics as text: those of the ranked nodes, and of all others as elements of
 * the page. */
void itp_tree_data_append_stats(const struct itp_tree_data *table, GString *ranked,
				GString *others);

/* Name as shown: itp_label_clean(). */
json_t *itp_tree_data_name(const char *name);

#endif
