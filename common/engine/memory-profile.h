/* SPDX-License-Identifier: MIT */
/*
 * Profile in memory, on its way to a ranking, or to a file.
 */
#ifndef ITP_ENGINE_MEMORY_PROFILE_H
#define ITP_ENGINE_MEMORY_PROFILE_H

#include "common/engine/perf-inputs.h"
#include "common/engine/ranking-job.h"
#include "common/infer/profile-source.h"

/* A new, empty workload of `job`. `architecture` may be NULL. Weak. */
struct itp_set_workload *itp_memory_workload_add(struct itp_rank_job *job, const char *name,
						 const char *input_path, const char *architecture,
						 const struct itp_clock *clock);

/* Makes the profile a workload of `job`, and forgets it. */
void itp_memory_profile_rank(const struct itp_memory_profile *profile, struct itp_rank_job *job);

/* Profiles (struct itp_memory_profile) of all workloads of `set`, which is finished by it, and must
 * outlive them. Free with g_array_unref(). */
GArray *itp_memory_profiles_of_set(struct itp_workload_set *set);

#endif
