/* SPDX-License-Identifier: MIT */
/*
 * Filter component that passes on its inputs' messages, one input after the other, and then adds
 * messages of profiles in memory. Inputs are not sorted by time: saved profiles have clocks of
 * their own, and nobody asks when a profile was made.
 */
#ifndef ITP_GRAPHS_PROFILES_FILTER_H
#define ITP_GRAPHS_PROFILES_FILTER_H

#include <babeltrace2/babeltrace.h>

#include "common/engine/memory-profile.h"

/* Data for the component's initialization, which must outlive it. */
struct itp_profiles_input {
	/* Number of input ports, in0 … */
	uint64_t upstream_count;
	/* struct itp_memory_profile, to be set before the graph runs. Weak. */
	const GArray *profiles;
};

bt_component_class_filter *itp_profiles_filter_class_new(void);

#endif
