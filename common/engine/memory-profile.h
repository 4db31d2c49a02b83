/* SPDX-License-Identifier: MIT */
/*
 * Profile in memory, on its way to a ranking, or to a file.
 */
#ifndef ITP_ENGINE_MEMORY_PROFILE_H
#define ITP_ENGINE_MEMORY_PROFILE_H

#include "common/engine/perf-inputs.h"
#include "common/engine/ranking-job.h"
#include "common/infer/profile-source.h"

/* A profile in memory; everything is weak. */
struct itp_memory_profile {
	/* Path of its input, as given, and uname -m of the machine, or NULL. */
	const char *input_path;
	const char *architecture;
	/* Clock of the profile's times: whether they are times of day, and their distance from the
	 * recording's. */
	struct itp_clock clock;
	/* Name of the profile's trace when it is saved; facts for its environment, as in
	 * itp_perf_input_tell_facts(). */
	const char *name;
	bool (*tell_facts)(const void *data, itp_fact_func *tell, void *tell_data);
	/* Frees the data behind `source`. */
	void (*forget)(void *data);
	/* For both. */
	void *data;
	struct itp_profile_source source;
};

/* A new, empty workload of `job`. `architecture` may be NULL. Weak. */
struct itp_set_workload *itp_memory_workload_add(struct itp_rank_job *job, const char *name,
						 const char *input_path, const char *architecture,
						 const struct itp_clock *clock);

/* Makes the profile a workload of `job`, and forgets it. */
void itp_memory_profile_rank(const struct itp_memory_profile *profile, struct itp_rank_job *job);

#endif
