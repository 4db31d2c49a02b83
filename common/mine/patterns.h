/* SPDX-License-Identifier: MIT */
/*
 * Costly patterns (pattern.h) of a set of stacks.
 */
#ifndef ITP_MINE_PATTERNS_H
#define ITP_MINE_PATTERNS_H

#include "common/mine/pattern.h"

/* Searches the patterns of the stacks of `set`, whose functions are below `function_count`. */
void itp_mined_patterns_init(struct itp_mined_patterns *patterns, const struct itp_stack_set *set,
			     uint32_t function_count, const struct itp_pattern_options *options);
void itp_mined_patterns_release(struct itp_mined_patterns *patterns);

/* Frees the members of a struct itp_pattern, and with them the pattern. */
void itp_pattern_clear(gpointer pattern);
void itp_pattern_free(gpointer pattern);

#endif
