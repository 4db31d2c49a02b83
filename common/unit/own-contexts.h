/* SPDX-License-Identifier: MIT */
/*
 * The contexts of units: a tree of their own, in which a loop is below its process, whoever has
 * called it. Which calls tell what a unit is, is left to begin-end.c.
 */
#ifndef ITP_UNIT_OWN_CONTEXTS_H
#define ITP_UNIT_OWN_CONTEXTS_H

#include <glib.h>

#include "common/base/context-tree.h"
#include "common/base/function-table.h"

struct itp_own_contexts;

/* `tree` and `functions` are those of the inference, weak. */
struct itp_own_contexts *itp_own_contexts_new(const struct itp_context_tree *tree,
					      const struct itp_function_table *functions);
void itp_own_contexts_free(struct itp_own_contexts *contexts);

/* The node of units that is `node`, which is at or below `loop`. Nameless code is its caller's:
 * units of one kind run through one function of a script at several addresses, as that is compiled
 * again and again. So is all that is incidental (waits.h), and what that calls: a tick finds a unit
 * there when another thread happens to have the lock. */
uint32_t itp_own_contexts_of(struct itp_own_contexts *contexts, uint32_t loop, uint32_t node);

/* Makes of `nodes` (uint32_t), of the inference's tree, those of
 * the units' tree. Where a stack did not show its callers, neither do the paths that it tells: such
 * nodes are left out. */
void itp_own_contexts_take(struct itp_own_contexts *contexts, uint32_t loop, GArray *nodes);

/* Weak. */
const struct itp_context_tree *itp_own_contexts_tree(const struct itp_own_contexts *contexts);

#endif
