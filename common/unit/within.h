/* SPDX-License-Identifier: MIT */
/*
 * Calls of a recording → the profile of its units of work, or of the units of one type: units,
 * their types and the types' profiles, put together.
 */
#ifndef ITP_UNIT_WITHIN_H
#define ITP_UNIT_WITHIN_H

#include <glib.h>
#include <stdbool.h>

#include "common/unit/profiles.h"

/* Parses the parameter of a user: "unit" for all units, or "unit:TYPE" for the types called TYPE
 * (unit-sums.h). *ret_type is the part behind the colon, or NULL; weak. False with an error for
 * other texts; false without an error for NULL. */
bool itp_within_parse(const char *text, const char **ret_type, GError **error);

/* Options "… in=unit:TYPE" of calls inside of units, from the options `inferred` of all calls. Free
 * with g_free(). */
char *itp_within_options_text(const char *text, const char *inferred);

/* Clears the numbers unknown inside of units: ticks of units, and the losers of time by their
 * waits. */
void itp_within_describe(struct itp_workload *workload);

struct itp_within;

/* `tree` and `functions` are those of the inference, weak; `text`, which can be parsed, is weak. */
struct itp_within *itp_within_new(const struct itp_context_tree *tree,
				  const struct itp_function_table *functions, const char *text,
				  bool keeps_latencies);
void itp_within_free(struct itp_within *within);

/* Take the next ended call, unplaced call, and stretch, in the order of the inference. */
void itp_within_add(struct itp_within *within, const struct itp_instance *call);
void itp_within_add_unplaced(struct itp_within *within, const struct itp_instance *call,
			     uint32_t function);
void itp_within_add_stretch(struct itp_within *within, const struct itp_stretch *stretch);

/* System calls are watched from `time_ns` on, or no longer, as in finder.h. */
void itp_within_watch(struct itp_within *within, bool is_watched, int64_t time_ns);

/* Ends the input: adds the calls inside of the units, and all types by `cut`, to `profile`,
 * incomplete when units had to be left out. False with an error when no units are meant. */
bool itp_within_finish(struct itp_within *within, double cut, struct itp_profile *profile,
		       GError **error);

#endif
