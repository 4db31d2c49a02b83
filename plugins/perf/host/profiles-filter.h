/* SPDX-License-Identifier: MIT */
/*
 * A filter component that passes on what its inputs say, one after the other, and then adds the
 * messages of profiles that are in memory. Inputs are not brought into one order in time: saved
 * profiles have clocks of their own, and nobody asks when a profile was made.
 */
#ifndef ITP_PERF_HOST_PROFILES_FILTER_H
#define ITP_PERF_HOST_PROFILES_FILTER_H

#include <babeltrace2/babeltrace.h>

#include "messages/profile-records.h"

/* A profile in memory; everything is weak. */
struct itp_memory_profile {
	/* Whether the times in the profile are times of day, and by how much they then differ from
	 * those of the recording. */
	struct itp_output_clock clock;
	/* Names the trace of the profile and sets its environment. */
	bool (*describe)(const void *data, struct itp_output *output, GError **error);
	/* All of it was sent: nobody looks at what `source` is made of any more. */
	void (*forget)(void *data);
	/* For both. */
	void *data;
	struct itp_profile_source source;
};

/* The data of the component's initialization, which must outlive it. */
struct itp_profiles_input {
	/* Number of input ports, in0 … */
	uint64_t upstream_count;
	/* The following are to be set before the graph runs. Weak. */
	/* struct itp_memory_profile */
	const GArray *profiles;
	/* The error that comes after all messages, or NULL. */
	const char *failure;
	/* Set before the first message, for sinks that tell their users; NULL to leave it. */
	bt_interrupter *interrupter;
};

bt_component_class_filter *itp_profiles_filter_class_new(void);

#endif
