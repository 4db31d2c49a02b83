/* SPDX-License-Identifier: MIT */
/*
 * Statistics by node of a context tree that many profiles share, of which each knows a few nodes: a
 * node without any takes four bytes, and those behind the last one that has nothing.
 */
#ifndef ITP_INFER_NODE_TABLE_H
#define ITP_INFER_NODE_TABLE_H

#include <stdint.h>

struct itp_node_stats;
struct itp_node_table;

struct itp_node_table *itp_node_table_new(void);
void itp_node_table_free(struct itp_node_table *table);

/* One more than the greatest node with statistics; 0 without any. */
uint32_t itp_node_table_limit(const struct itp_node_table *table);

/* The statistics of `node`; NULL where it has none. They stay where they are until the table is
 * freed, or truncated below them. */
struct itp_node_stats *itp_node_table_find(const struct itp_node_table *table, uint32_t node);
/* The same, zeroed when they are new. */
struct itp_node_stats *itp_node_table_get(struct itp_node_table *table, uint32_t node);

/* Forgets the nodes from `limit` on. */
void itp_node_table_truncate(struct itp_node_table *table, uint32_t limit);

#endif
