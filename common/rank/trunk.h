/* SPDX-License-Identifier: MIT */
/*
 * The function below which nearly all of what a run costs more lies.
 *
 * Where that is divided among several entries, none of them tells the whole: the trunk is the last
 * function before it branches.
 */
#ifndef ITP_RANK_TRUNK_H
#define ITP_RANK_TRUNK_H

#include "common/rank/side.h"

/* Sets ranking->trunk: the deepest function with a name, of a program or a library, that has nine
 * tenths of the difference below it, but not of the base's time. Cleared when there is none, as in
 * a run that costs no more than its base. Σ own latencies of the ranking are known. */
void itp_trunk_find(const struct itp_rank_state *state, struct itp_ranking *ranking);

#endif
