/* SPDX-License-Identifier: MIT */
/*
 * Calls inside of units of each type: a profile with nothing else.
 *
 * A unit lies in its loop's function and in all callers of the function, which take as long as the
 * unit. Of a call across the unit's begin or end, the inside part counts, and the call counts at
 * its end. Work of the thread for other units in between is left out: the loop's function has the
 * time as a wait for the thread. Times are the likeliest ones, as for units; CPU times are not
 * corrected by ticks (strata.h), known only of a whole recording.
 *
 * The type of a unit shows only at the end of the recording. Until then each group of units
 * (types.h) has a profile, and calls are kept until the finder has told their units. Memory grows
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

/* Take each call and stretch, before the finder; and each unit told by the finder, with its group.
 * The last one returns 0 or a negative itp_error. */
void itp_unit_profiles_add(struct itp_unit_profiles *profiles, const struct itp_instance *call);
void itp_unit_profiles_add_stretch(struct itp_unit_profiles *profiles,
				   const struct itp_stretch *stretch);
int itp_unit_profiles_add_unit(struct itp_unit_profiles *profiles, const struct itp_unit *unit,
			       guint group);

/* Ends the input. Returns 0 or a negative itp_error. */
int itp_unit_profiles_finish(struct itp_unit_profiles *profiles);

/* Number of units in no profile, as there was too much to keep. */
uint64_t itp_unit_profiles_left_out(const struct itp_unit_profiles *profiles);

/* Adds a group's profile, if any, to the statistics of `profile`. */
void itp_unit_profiles_merge(const struct itp_unit_profiles *profiles, guint group,
			     struct itp_profile *profile);

#endif
