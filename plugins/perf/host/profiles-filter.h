/* SPDX-License-Identifier: MIT */
/*
 * A filter component that passes on what its inputs say, one after the other, and then adds the
 * messages of profiles that are in memory. Inputs are not brought into one order in time: saved
 * profiles have clocks of their own, and nobody asks when a profile was made.
 */
#ifndef ITP_PERF_HOST_PROFILES_FILTER_H
#define ITP_PERF_HOST_PROFILES_FILTER_H

#include <babeltrace2/babeltrace.h>

#include "plugins/perf/host/memory-profile.h"

/* The data of the component's initialization, which must outlive it. */
struct itp_profiles_input {
	/* Number of input ports, in0 … */
	uint64_t upstream_count;
	/* struct itp_memory_profile, to be set before the graph runs. Weak. */
	const GArray *profiles;
};

bt_component_class_filter *itp_profiles_filter_class_new(void);

#endif
