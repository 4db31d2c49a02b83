/* SPDX-License-Identifier: MIT */
/*
 * Waits for what another entry costs: a client waits for its service, and the service is slow.
 *
 * What ran while an entry was blocked is known (role ITP_WAKER_RAN). Where most of that is on the
 * path of another entry, or a program that it started more often (started.h), and that entry has
 * become slower by a like amount, the wait is an effect of it, and the reader needs one entry and
 * not two. Where several have together, it is one of the first of them. Of a lock, several may wait
 * at once for what takes its holder once as long. What explains a difference that is beyond noise
 * is so itself, unless it is likely to be chance.
 */
#ifndef ITP_RANK_EFFECTS_H
#define ITP_RANK_EFFECTS_H

#include "common/rank/entries.h"

/* `entries` are in their order, `leaves` those of their paths. Sets `cause` of those that are
 * effects and `is_waited_for` of their causes, which are no noise, and moves each behind its cause.
 */
void itp_effects_find(const struct itp_rank_state *state, const GArray *leaves, GArray *entries);

#endif
