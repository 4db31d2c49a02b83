/* SPDX-License-Identifier: MIT */
/*
 * Calls of a recording → the profile of what lies in its units of work, or in those of one type:
 * units, their types and the profiles of these, put together.
 */
#ifndef ITP_UNIT_WITHIN_H
#define ITP_UNIT_WITHIN_H

#include <glib.h>
#include <stdbool.h>

#include "common/unit/profiles.h"

/* As users write it: "unit" for all, or "unit:TYPE" for those that are called TYPE
 * (unit-sums.h). *ret_type is what is behind the colon, or NULL; weak. False with an error when it
 * is neither; NULL is neither and no error. */
bool itp_within_parse(const char *text, const char **ret_type, GError **error);

/* "… in=unit:TYPE": how what lies there was inferred, from how calls were. The caller frees it. */
char *itp_within_options_text(const char *text, const char *inferred);

/* What a workload tells of itself then: of which units ticks are is not known, nor whose loss the
 * waits in them were. */
void itp_within_describe(struct itp_workload *workload);

struct itp_within;

/* `tree` and `functions` are those of the inference, weak; so is `text`, which can be parsed. */
struct itp_within *itp_within_new(const struct itp_context_tree *tree,
				  const struct itp_function_table *functions, const char *text,
				  bool keeps_latencies);
void itp_within_free(struct itp_within *within);

/* Takes the next call that has ended, and the next stretch, as the inference tells them. */
void itp_within_add(struct itp_within *within, const struct itp_instance *call);
void itp_within_add_unplaced(struct itp_within *within, const struct itp_instance *call,
			     uint32_t function);
void itp_within_add_stretch(struct itp_within *within, const struct itp_stretch *stretch);

/* There are no more: adds what lies in the units, and all types of them by `cut`, to `profile`,
 * which is not complete if some had to be left out. An error when no units are meant. */
bool itp_within_finish(struct itp_within *within, double cut, struct itp_profile *profile,
		       GError **error);

#endif
