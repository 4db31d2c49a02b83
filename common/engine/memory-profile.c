/* SPDX-License-Identifier: MIT */
/*
 * See memory-profile.h.
 */
#include "common/engine/memory-profile.h"

struct itp_set_workload *itp_memory_workload_add(struct itp_rank_job *job, const char *name,
						 const char *input_path, const char *architecture,
						 const struct itp_clock *clock)
{
	struct itp_set_workload *workload =
		itp_workload_set_add(job->workloads, name, clock, architecture);

	workload->input_path = g_strdup(input_path);
	return workload;
}

void itp_memory_profile_rank(const struct itp_memory_profile *profile, struct itp_rank_job *job)
{
	struct itp_set_workload *workload = itp_memory_workload_add(
		job, profile->source.profile->workload.name, profile->input_path,
		profile->architecture, &profile->clock);

	itp_workload_set_add_source(job->workloads, workload, &profile->source);
	profile->forget(profile->data);
}
