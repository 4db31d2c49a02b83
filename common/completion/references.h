/* SPDX-License-Identifier: MIT */
/*
 * Where the code of a file refers to a place: calls and jumps to functions, and the slots through
 * which functions of other files are found.
 *
 * On x86-64 all of that is told by a distance in the instruction. Whatever could be one is noted
 * once; whether it is, is found out when somebody asks, by decoding the function from its
 * beginning.
 */
#ifndef ITP_COMPLETION_REFERENCES_H
#define ITP_COMPLETION_REFERENCES_H

#include "common/control-flow/code.h"

struct itp_references;

/* `code` is weak and must outlive the result. NULL for other architectures, and for more code than
 * is looked at. */
struct itp_references *itp_references_new(const struct itp_flow_code *code);
void itp_references_free(struct itp_references *references);

/* The instruction that refers to `target`: calls it, jumps to it, or, if of kind ITP_FLOW_PLAIN,
 * makes or reads its address. */
typedef void itp_reference_func(const struct itp_flow_instruction *instruction, void *data);

/* Shows `visit` all that refer to `target`. False when these are too many. */
bool itp_references_each(const struct itp_references *references, uint64_t target,
			 itp_reference_func *visit, void *data);

#endif
