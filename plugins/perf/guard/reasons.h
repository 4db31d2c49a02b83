/* SPDX-License-Identifier: MIT */
/*
 * Excess of late units, and its places: for people and for programs.
 */
#ifndef ITP_PERF_GUARD_REASONS_H
#define ITP_PERF_GUARD_REASONS_H

#include <jansson.h>

#include "common/guard/excess.h"

/* Appends a sentence about the late units of type `name`; a unit usually takes `typical_ns`. */
void itp_guard_reasons_append(const struct itp_function_table *functions,
			      const struct itp_guard_excess_of_type *told, const char *name,
			      int64_t typical_ns, GString *output);

/* Sets members of an object, with the contents of the sentence. */
void itp_guard_reasons_set(const struct itp_function_table *functions,
			   const struct itp_guard_excess_of_type *told, int64_t typical_ns,
			   json_t *object);

#endif
