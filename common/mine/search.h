/* SPDX-License-Identifier: MIT */
/*
 * Search for the costly patterns of a forest of stacks.
 */
#ifndef ITP_MINE_SEARCH_H
#define ITP_MINE_SEARCH_H

#include "common/mine/pattern.h"

/* Searches the patterns of `patterns`, whose forest is made, and adds them to its list: their
 * functions and nodes. */
void itp_search_run(struct itp_mined_patterns *patterns, uint32_t function_count,
		    const struct itp_pattern_options *options);

#endif
