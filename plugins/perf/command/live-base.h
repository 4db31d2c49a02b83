/* SPDX-License-Identifier: MIT */
/*
 * What the periods of top are compared with: recordings, which are read before perf is started, and
 * traces such as saved profiles.
 */
#ifndef ITP_PERF_COMMAND_LIVE_BASE_H
#define ITP_PERF_COMMAND_LIVE_BASE_H

#include "plugins/perf/host/inputs.h"
#include "plugins/perf/host/memory-profile.h"
#include "plugins/perf/host/recordings.h"

struct itp_live_base {
	/* What is to be read, and of the recordings what was. Owned by this. */
	struct itp_inputs inputs;
	struct itp_host_params params;
	struct itp_recordings *recordings;
	/* struct itp_memory_profile. Owned by this. */
	GArray *profiles;
};

/* Reads what the parameter `base` of the ranking names, if it is there, with the `values` of all
 * parameters. To be released, also after an error. */
bool itp_live_base_read(struct itp_live_base *base, bt_value *const *values, GError **error);
void itp_live_base_release(struct itp_live_base *base);

#endif
