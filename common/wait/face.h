/* SPDX-License-Identifier: MIT */
/*
 * Which function of a context names what is done there: the innermost of the program or of a
 * library of its own, not the C library's function through which it waits.
 */
#ifndef ITP_WAIT_FACE_H
#define ITP_WAIT_FACE_H

#include "common/base/context-tree.h"
#include "common/base/function-table.h"

/* Whether it is code of the program or of one of its libraries, which has a file. */
bool itp_face_can_be(const struct itp_function *function);

/* Node at or above `node`, which is not the root of all; that of its process where no function can
 * name it. */
uint32_t itp_face_of(const struct itp_context_tree *tree,
		     const struct itp_function_table *functions, uint32_t node);

#endif
