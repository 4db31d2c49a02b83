/* SPDX-License-Identifier: MIT */
/*
 * Recordings as traces of a job of mining: their symptoms, and the stacks behind them. Several
 * recordings are read at once, each by a thread of its own; their stacks are added in the order of
 * the recordings.
 */
#ifndef ITP_MINING_JOB_MINED_RECORDINGS_H
#define ITP_MINING_JOB_MINED_RECORDINGS_H

#include "common/engine/recordings.h"
#include "common/mining-job/mining-job.h"

struct itp_mined_recordings;

/* Begins to read `paths` (char *) for the symptoms of `job`, by `params`. All is weak and must
 * outlive the result. */
struct itp_mined_recordings *itp_mined_recordings_new(const GPtrArray *paths,
						      const struct itp_reading_params *params,
						      struct itp_mining_job *job);
/* Gives up recordings still being read. */
void itp_mined_recordings_free(struct itp_mined_recordings *recordings);

/* Waits for the next recording, and adds its stacks to the slow traces of the job, or to the good
 * ones, and its lines about each symptom. A damaged recording adds its undamaged part, and is an
 * error. `watch` gets warnings; when its progress says so, the wait ends without an error. */
bool itp_mined_recordings_add_next(struct itp_mined_recordings *recordings, bool of_base,
				   const struct itp_recordings_watch *watch, GError **error);

#endif
