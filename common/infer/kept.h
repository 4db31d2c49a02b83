/* SPDX-License-Identifier: MIT */
/*
 * Numbers that a profile keeps of the inference: those that the recording's events tell
 * (common/base/watched.h).
 *
 * Where they do not tell how long calls took, the profile holds CPU time as its time, and no calls,
 * bounds or waits. Profiles that are compared hold what all of them can.
 */
#ifndef ITP_INFER_KEPT_H
#define ITP_INFER_KEPT_H

#include "common/base/watched.h"
#include "common/infer/profile.h"

/* Leaves of the profile what its workload, which is described, has watched. `parent_of` is as in
 * struct itp_node_lookup. */
void itp_profile_keep_watched(struct itp_profile *profile,
			      uint32_t (*parent_of)(const void *data, uint32_t node),
			      const void *data);

/* Leaves of `count` profiles what all of them have watched, so that their times are of one kind. */
void itp_profiles_level(struct itp_profile *const *profiles, size_t count);

#endif
