/* SPDX-License-Identifier: MIT */
/*
 * The calling context tree in the data of the page: every name once in a table, every context that
 * a workload has been in with the statistics of both. Numbers of functions and nodes are places in
 * these tables.
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

/* The number of a function, which enters the table when it is new. */
uint32_t itp_tree_data_function(struct itp_tree_data *table, uint32_t id);
/* The number of a node; null where it has none. A new reference, as all below. */
json_t *itp_tree_data_node(const struct itp_tree_data *table, uint32_t node);

json_t *itp_tree_data_nodes(struct itp_tree_data *table);
/* By workload: all calls that are known of what is ranked, the slowest of each other context. */
json_t *itp_tree_data_slowest(const struct itp_tree_data *table);

/* A name as it is shown: itp_label_clean(). */
json_t *itp_tree_data_name(const char *name);

#endif
