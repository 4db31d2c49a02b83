/* SPDX-License-Identifier: MIT */
/*
 * Renamed functions: two builds of a module give them different names, by other parameters or
 * template arguments, by another directory of a script, or altogether.
 *
 * Only functions of a single workload, in a module with different code in both, are looked at. Two
 * of them are the same function if their names are equal but for parameters and template arguments,
 * or for the script's directory in code made from a script, and no others have the same name; or if
 * most of their callers and callees are the same, at least one callee and three in all.
 */
#ifndef ITP_VIEW_RENAMED_H
#define ITP_VIEW_RENAMED_H

#include "common/view/pairs.h"

/* struct itp_renaming, sorted by `suspect`: functions in input->functions. Functions of a module in
 * `pairs` have the name of the suspect's module by then. Free with g_array_unref(). */
struct itp_renaming {
	uint32_t base;
	uint32_t suspect;
	enum itp_pair_reason reason;
};

GArray *itp_renamed_find(const struct itp_pair_input *input, const GArray *pairs);

#endif
