/* SPDX-License-Identifier: MIT */
/*
 * Work that goes on beside the recorded command for as long as the recording does: a job on the
 * same machine takes more CPU time of a longer recording, and does per second what it did before.
 *
 * It is a process, or a call in one, that was there when the recordings of both workloads began,
 * and for which nobody in another program lost time: so it has nothing to do with the command.
 * What the base has of it is multiplied with how much longer the suspect's recordings are: its
 * share of them is compared. Without a command nothing tells what the recording is of.
 */
#ifndef ITP_RANK_LASTING_H
#define ITP_RANK_LASTING_H

#include "common/rank/side.h"

/* The two profiles are those of all runs, and state->waits_for_work is known. `base` is to have
 * been multiplied by itp_profile_scale() with `scale`. */
void itp_lasting_scale(const struct itp_rank_state *state, const struct itp_runs *suspect_runs,
		       const struct itp_runs *base_runs, const struct itp_profile *suspect,
		       struct itp_profile *base, double scale);

#endif
