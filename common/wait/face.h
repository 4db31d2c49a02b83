/* SPDX-License-Identifier: MIT */
/*
 * Face of a context: the function that names its doing, the innermost of the program or of a
 * library of its own, not the C library's function for waiting.
 */
#ifndef ITP_WAIT_FACE_H
#define ITP_WAIT_FACE_H

#include "common/base/context-tree.h"
#include "common/base/function-table.h"

/* True for code of the program or of one of its libraries, in a file. */
bool itp_face_can_be(const struct itp_function *function);

/* Node of the face, at or above `node`; the node of its process if no function can name it. `node`
 * is not ITP_CONTEXT_ROOT. */
uint32_t itp_face_of(const struct itp_context_tree *tree,
		     const struct itp_function_table *functions, uint32_t node);

#endif
