/* SPDX-License-Identifier: MIT */
/*
 * Values of `per` that a workload can be divided by, for an error about one that it cannot.
 */
#ifndef ITP_COMPARE_COUNTABLE_H
#define ITP_COMPARE_COUNTABLE_H

#include "common/rank/ranking.h"

/* Functions of the program's own with known numbers of calls, most time first; without any, the
 * system calls that were made most often: "call:handle, call:parse". Eight at most; "" without any.
 * Owned by the caller. */
char *itp_countable_list(const struct itp_profile *profile,
			 const struct itp_function_table *functions,
			 const struct itp_context_tree *tree);

#endif
