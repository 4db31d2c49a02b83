/* SPDX-License-Identifier: MIT */
/*
 * See memory-profile.h.
 */
#include "plugins/perf/host/memory-profile.h"

void itp_memory_profile_rank(const struct itp_memory_profile *profile, struct itp_rank_sink *sink)
{
	const struct itp_clock clock = {
		.has_epoch = profile->clock.has_epoch,
		.offset_ns = profile->clock.has_epoch ? profile->clock.epoch_offset_ns : 0,
	};
	struct itp_set_workload *workload =
		itp_workload_set_add(sink->workloads, profile->source.profile->workload.name,
				     &clock, profile->architecture);

	workload->input_path = g_strdup(profile->input_path);
	itp_workload_set_add_source(sink->workloads, workload, &profile->source);
	profile->forget(profile->data);
}
