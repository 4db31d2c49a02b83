/* SPDX-License-Identifier: MIT */
/*
 * What units of each type did: a profile that holds nothing else.
 *
 * A unit lies in its loop's function and in all that has called it, which take as long as it does.
 * Of a call that goes on at the unit's begin or end the part inside counts, and the call where it
 * ends. What its thread has done for other units in between is not in it: then the loop's function
 * has the time in which it waited for the thread. Times are the likeliest ones, as those of units
 * are; that of CPUs is not corrected by ticks (strata.h), which are known of a whole recording
 * only.
 *
 * Of which type a unit is shows at the end, so there is a profile for each group of units
 * (types.h); and calls are kept until the finder has told the units that they are in. Memory grows
 * with the contexts of groups, up to a limit.
 */
#ifndef ITP_UNIT_PROFILES_H
#define ITP_UNIT_PROFILES_H

#include <stdbool.h>

#include "common/base/function-table.h"
#include "common/infer/profile.h"
#include "common/infer/stretch.h"
#include "common/unit/types.h"

struct itp_unit_profiles;

/* `tree` and `functions` are those of the inference, weak. With `keeps_latencies` profiles have the
 * latency of each call. */
struct itp_unit_profiles *itp_unit_profiles_new(const struct itp_context_tree *tree,
						const struct itp_function_table *functions,
						bool keeps_latencies);
void itp_unit_profiles_free(struct itp_unit_profiles *profiles);

/* Each call and stretch, before the finder gets it; and each unit that the finder tells, with its
 * group. Calls return 0 or a negative itp_error. */
void itp_unit_profiles_add(struct itp_unit_profiles *profiles, const struct itp_instance *call);
void itp_unit_profiles_add_stretch(struct itp_unit_profiles *profiles,
				   const struct itp_stretch *stretch);
int itp_unit_profiles_add_unit(struct itp_unit_profiles *profiles, const struct itp_unit *unit,
			       guint group);

/* There are no more. Returns 0 or a negative itp_error. */
int itp_unit_profiles_finish(struct itp_unit_profiles *profiles);

/* How many units are in no profile, as there was too much to keep. */
uint64_t itp_unit_profiles_left_out(const struct itp_unit_profiles *profiles);

/* Adds a group's profile, which may be none, to the statistics of `profile`. */
void itp_unit_profiles_merge(const struct itp_unit_profiles *profiles, guint group,
			     struct itp_profile *profile);

#endif
