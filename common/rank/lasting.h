/* SPDX-License-Identifier: MIT */
/*
 * Lasting work: it goes on beside the recorded command for as long as the recording. A job on the
 * same machine takes more CPU time in a longer recording, and does the same per second as before.
 *
 * Lasting work is a process, or a call in a process, that was there when the recordings of both
 * workloads began, and for which nobody in another program lost time: it has nothing to do with the
 * command. The base's part of it is multiplied by the ratio of the recordings' lengths, suspect to
 * base, so that shares of the recordings are compared. Without a command nothing tells the purpose
 * of the recording, and nothing is scaled.
 */
#ifndef ITP_RANK_LASTING_H
#define ITP_RANK_LASTING_H

#include "common/rank/side.h"

/* Scales lasting work in the base, which was multiplied by state->base_factor before.
 * state->waits_for_work is known. */
void itp_lasting_scale(const struct itp_rank_state *state);

#endif
