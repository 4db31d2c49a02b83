/* SPDX-License-Identifier: MIT */
/*
 * Statistics by node of a context tree shared by many profiles, each of which knows a few nodes: a
 * node without statistics takes four bytes, and nodes behind the last one with any take none.
 */
#ifndef ITP_INFER_NODE_TABLE_H
#define ITP_INFER_NODE_TABLE_H

#include <stdint.h>

struct itp_node_stats;
struct itp_node_table;

struct itp_node_table *itp_node_table_new(void);
void itp_node_table_free(struct itp_node_table *table);

/* Greatest node with statistics plus one; 0 without any. */
uint32_t itp_node_table_limit(const struct itp_node_table *table);

/* Statistics of `node`; NULL without any. They stay in place until the table is freed, or truncated
 * below them. */
struct itp_node_stats *itp_node_table_find(const struct itp_node_table *table, uint32_t node);
/* Statistics of `node`, zeroed when new. */
struct itp_node_stats *itp_node_table_get(struct itp_node_table *table, uint32_t node);

/* Forgets the nodes from `limit` on. */
void itp_node_table_truncate(struct itp_node_table *table, uint32_t limit);

#endif
