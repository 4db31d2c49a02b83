/* SPDX-License-Identifier: MIT */
/*
 * Functions that two builds of a module call otherwise: with other parameters or template
 * arguments, of a script in another directory, or by another name altogether.
 *
 * Only what one workload alone has, in a module whose code is not the same in both, is looked at.
 * Two functions are one if their names are equal but for parameters and template arguments, or the
 * directory of the script in code that was made of one, and no others have that name; or if most of
 * what calls them and what they call is the same, which is at least one that they call and three in
 * all.
 */
#ifndef ITP_RANK_RENAMED_H
#define ITP_RANK_RENAMED_H

#include "common/rank/pairs.h"

/* struct itp_renaming, sorted by `suspect`: functions in input->functions. Those of a module in
 * `pairs` are under its suspect's name by then. Free with g_array_unref(). */
struct itp_renaming {
	uint32_t base;
	uint32_t suspect;
	enum itp_pair_reason reason;
};

GArray *itp_renamed_find(const struct itp_pair_input *input, const GArray *pairs);

#endif
