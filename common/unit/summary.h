/* SPDX-License-Identifier: MIT */
/*
 * Types of units → the sums of them in a profile.
 */
#ifndef ITP_UNIT_SUMMARY_H
#define ITP_UNIT_SUMMARY_H

#include "common/base/function-table.h"
#include "common/infer/unit-sums.h"
#include "common/unit/types.h"

/* Adds all types by `cut` to `sums`. `functions` are those of the types' tree. `ret_numbers`,
 * unless NULL, gets the number (guint) of each type in `sums`, in the order of
 * itp_unit_types_find(). */
void itp_unit_types_sum(struct itp_unit_types *types, const struct itp_function_table *functions,
			double cut, struct itp_unit_sums *sums, GArray *ret_numbers);

#endif
