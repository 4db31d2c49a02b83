/* SPDX-License-Identifier: MIT */
/*
 * Programs that were started more often: a script runs a process for each line, and pays for it in
 * the loader, the start and the end of another program, at a dozen places.
 *
 * Who made the processes of a program is known (role ITP_WAKER_STARTED). What costs more in it just
 * as it was started more often is added to the entry that started it, so that the reader gets one
 * entry, and where it begins. What a program does the same number of times, however often it is
 * started, stays its own.
 */
#ifndef ITP_RANK_STARTED_H
#define ITP_RANK_STARTED_H

#include "common/rank/entries.h"

/* The entries are not sorted and not judged yet; what is taken leaves an empty one. Times of the
 * base count `base_factor` times, as the state's do already. */
void itp_started_fold(const struct itp_rank_state *state, struct itp_rank_entries *entries,
		      double base_factor);

#endif
