/* SPDX-License-Identifier: MIT */
/*
 * Numbers of the inference kept in a profile: those told by the recording's events
 * (common/base/watched.h).
 *
 * Where events do not tell how long calls took, the profile holds CPU time as its time, and no
 * calls, bounds or waits. Compared profiles hold the numbers that all of them can.
 */
#ifndef ITP_INFER_KEPT_H
#define ITP_INFER_KEPT_H

#include "common/base/watched.h"
#include "common/infer/profile.h"

/* Reduces the profile to the numbers watched by its workload, which is described. `parent_of` is as
 * in struct itp_node_lookup. */
void itp_profile_keep_watched(struct itp_profile *profile,
			      uint32_t (*parent_of)(const void *data, uint32_t node),
			      const void *data);

/* Reduces `count` profiles to the numbers watched by all of them, so that their times are of a
 * single kind. */
void itp_profiles_level(struct itp_profile *const *profiles, size_t count);

#endif
