/* SPDX-License-Identifier: MIT */
/*
 * A filter component that passes on what its inputs say, one after the other, and then adds the
 * messages of a profile that is in memory. Inputs are not brought into one order in time: saved
 * profiles have clocks of their own, and nobody asks when a profile was made.
 */
#ifndef ITP_PERF_DLFILTER_PROFILE_FILTER_H
#define ITP_PERF_DLFILTER_PROFILE_FILTER_H

#include <babeltrace2/babeltrace.h>

#include "plugins/babeltrace/profile-records.h"

/* The data of the component's initialization, which must outlive it. */
struct itp_profile_input {
	/* What the workload is called. Weak. */
	const char *name;
	/* Number of input ports, in0 … */
	uint64_t upstream_count;
	/* The profile; to be set before the graph runs. */
	struct itp_profile_source source;
};

bt_component_class_filter *itp_profile_filter_class_new(void);

#endif
