/* SPDX-License-Identifier: MIT */
/*
 * Calling contexts in which a run of code without names is one function.
 *
 * Code that a program has made for itself, as Java's interpreter and its compiled methods, has
 * addresses where others have names, and other addresses for the same work as soon as it is
 * compiled. A loop in such code is found in the run of frames, which stays. Contexts without such
 * code keep their numbers.
 */
#ifndef ITP_UNIT_MADE_CODE_H
#define ITP_UNIT_MADE_CODE_H

#include "common/base/context-tree.h"
#include "common/base/function-table.h"
#include "common/infer/instance.h"

struct itp_made_code;

/* `tree` and `functions` are weak. */
struct itp_made_code *itp_made_code_new(const struct itp_context_tree *tree,
					const struct itp_function_table *functions);
void itp_made_code_free(struct itp_made_code *made);

/* Tree of the contexts, in which a run is the first function without a name that was seen. Owned by
 * `made`. */
const struct itp_context_tree *itp_made_code_tree(const struct itp_made_code *made);

/* Context of `node`, a node of the given tree; and the outermost node of the given tree for a
 * context. */
uint32_t itp_made_code_context(struct itp_made_code *made, uint32_t node);
uint32_t itp_made_code_node(const struct itp_made_code *made, uint32_t context);

/* `call` in its context: `call` itself, or `storage`. NULL for a call inside of a run. */
const struct itp_instance *itp_made_code_call(struct itp_made_code *made,
					      const struct itp_instance *call,
					      struct itp_instance *storage);

#endif
