/* SPDX-License-Identifier: MIT */
/*
 * The ways through the code from a function that keeps a frame pointer to one that stands above it:
 * which functions without a frame pointer lie between them.
 */
#ifndef ITP_COMPLETION_WAYS_H
#define ITP_COMPLETION_WAYS_H

#include "common/completion/callers.h"

/* More functions than that do not lie between two that a stack shows. */
#define ITP_MAX_WAY 4

/* Functions that a stack shows, nearest to the first function first. */
struct itp_way {
	guint count;
	struct itp_code_function functions[ITP_MAX_WAY];
};

/* The different ways from `framed`, one of those that call, to the called function; of those that
 * are longer, or turn round, the beginning. Returns an array of struct itp_way, empty when there
 * are too many; the caller frees it. */
GArray *itp_ways_find(const struct itp_callers *callers, struct itp_code_function framed);

/* The functions that any of the ways has at place `at`; the caller frees the array, of struct
 * itp_code_function. NULL when one of the ways has ended there. */
GArray *itp_ways_at(const GArray *ways, guint at);

#endif
