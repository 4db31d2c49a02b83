/* SPDX-License-Identifier: MIT */
/*
 * Lines of one function in two recordings, side by side: what each cost before and now. Pages are
 * left to page.h.
 *
 * A line is the same in both if its file's name, its number, the function it was written in and,
 * of a call, the callee are: builds may lie in different folders.
 */
#ifndef ITP_SOURCE_PAIR_H
#define ITP_SOURCE_PAIR_H

#include "common/source/page.h"

/* All weak. */
struct itp_source_side {
	/* NULL when the function was not seen. */
	const struct itp_source_page *page;
	const struct itp_source_costs *costs;
	const struct itp_function_table *functions;
};

struct itp_source_change {
	/* Of the present recording, or of the base, where it has none. Weak. */
	const struct itp_source_row *row;
	const struct itp_source_side *side;
	/* Costs of the line in both (itp_source_row_cost()). */
	double base;
	double now;
};

/* struct itp_source_change: all lines with costs, by the amount of what was added or saved, the
 * largest first. Both arguments must outlive the result. Free with g_array_unref(). */
GArray *itp_source_pair(const struct itp_source_side *base, const struct itp_source_side *now);

#endif
