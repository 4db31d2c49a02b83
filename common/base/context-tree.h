/* SPDX-License-Identifier: MIT */
/*
 * Calling context tree and dynamic context indexing (paper, section 3.2, Algorithm 1).
 *
 * A node is a function in one calling context; its id identifies the whole path from the root.
 * Ids are dense, parents have smaller ids than their children, so per-node data lives in plain
 * arrays beside the tree. Node 0 is the root of everything and stands for no function.
 */
#ifndef ITP_BASE_CONTEXT_TREE_H
#define ITP_BASE_CONTEXT_TREE_H

#include <glib.h>
#include <stdint.h>

#define ITP_CONTEXT_ROOT 0

struct itp_context {
	uint32_t parent;
	uint32_t function;
	/* Number of edges from node 0. */
	uint32_t depth;
};

struct itp_context_tree;

struct itp_context_tree *itp_context_tree_new(void);
void itp_context_tree_free(struct itp_context_tree *tree);

/* Node of `function` called in context `parent`, made when new (GETNODE). */
uint32_t itp_context_tree_child(struct itp_context_tree *tree, uint32_t parent, uint32_t function);

/* Node of `function` in context `parent`, or ITP_CONTEXT_ROOT when there is none yet. */
uint32_t itp_context_tree_find(const struct itp_context_tree *tree, uint32_t parent,
			       uint32_t function);

/* `node` must be below the size. Valid until the next itp_context_tree_child(). */
const struct itp_context *itp_context_tree_get(const struct itp_context_tree *tree, uint32_t node);

/* Number of nodes, the root included. */
uint32_t itp_context_tree_size(const struct itp_context_tree *tree);

/* Functions from the root's child to `node` (IDTOPATH), into `ret_path`, a GArray of uint32_t
 * that is emptied first. */
void itp_context_tree_path(const struct itp_context_tree *tree, uint32_t node, GArray *ret_path);

#endif
