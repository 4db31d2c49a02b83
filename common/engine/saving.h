/* SPDX-License-Identifier: MIT */
/*
 * Saving of profiles in a file (common/profile-file): workloads of a job, and profiles in memory.
 *
 * Made at the beginning, so that impossible savings are known before anything is read.
 */
#ifndef ITP_ENGINE_SAVING_H
#define ITP_ENGINE_SAVING_H

#include "common/engine/ranking-job.h"

/* Fails unless `path` can be made: nothing may be there, nor may it lie in any of `inputs`
 * (char *). */
bool itp_saving_check(const char *path, const GPtrArray *inputs, GError **error);

/* Job for itp_saving_run(), which only takes workloads. Freed by its `free`. */
struct itp_rank_job *itp_saving_job_new(void);

/* Saves the workloads of `job`, and then `profiles` (struct itp_memory_profile), each forgotten. To
 * be called once. A whole file is left, or none. */
bool itp_saving_run(const char *path, struct itp_rank_job *job, const GArray *profiles,
		    GError **error) G_GNUC_WARN_UNUSED_RESULT;

#endif
