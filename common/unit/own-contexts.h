/* SPDX-License-Identifier: MIT */
/*
 * Contexts of units: a tree of their own, with each loop below its process, whoever has called the
 * loop. The choice of calls that describe a unit is left to begin-end.c.
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

/* Node of the units' tree for `node`, a node at or below `loop`. Nameless code counts as its
 * caller: units of one kind run through a script's function at several addresses, as the function
 * is compiled again and again. Incidental calls (waits.h) and their callees count as the caller,
 * too: a tick finds a unit there when another thread happens to have the lock. */
uint32_t itp_own_contexts_of(struct itp_own_contexts *contexts, uint32_t loop, uint32_t node);

/* Replaces `ticks` (uint32_t) of the inference's tree by their nodes of the units' tree. Nodes
 * outside of `loop`, whose stacks lack their callers, are left out. */
void itp_own_contexts_take_ticks(struct itp_own_contexts *contexts, uint32_t loop, GArray *ticks);

/* Likewise of `calls`, contexts of system calls with their marks (path-sets.h). Incidental calls
 * and their callees are left out, too: the caller is no system call. */
void itp_own_contexts_take_calls(struct itp_own_contexts *contexts, uint32_t loop, GArray *calls);

/* Weak. */
const struct itp_context_tree *itp_own_contexts_tree(const struct itp_own_contexts *contexts);

#endif
