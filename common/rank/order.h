/* SPDX-License-Identifier: MIT */
/*
 * The order of entries, and which of them are kept when there are more than a person reads.
 *
 * First comes what costs more, most expensive first; then what costs less, largest saving first;
 * then what may be chance, and what is rare. Where chance is not judged, all are in the first part.
 * The time in which an entry waits for a CPU does not count: others are to blame for that.
 */
#ifndef ITP_RANK_ORDER_H
#define ITP_RANK_ORDER_H

#include "common/rank/entries.h"

/* Indices of the entries that are written out: [0, first_end) and [savings_begin, savings_end). */
struct itp_rank_kept {
	size_t first_end;
	size_t savings_begin;
	size_t savings_end;
};

/* Sorts struct itp_rank_entry, and drops those that are empty. Their significance must be known.
 */
void itp_rank_order(GArray *entries);

/* `top` entries of a sorted array, 0 = all: the first ones, and the largest savings, which get up
 * to a third of the places where others come before them. */
struct itp_rank_kept itp_rank_choose(const GArray *entries, size_t top);

#endif
