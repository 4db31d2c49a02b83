/* SPDX-License-Identifier: MIT */
/*
 * What late units took longer than usual, and where: for people and for programs.
 */
#ifndef ITP_PERF_GUARD_REASONS_H
#define ITP_PERF_GUARD_REASONS_H

#include <jansson.h>

#include "common/guard/excess.h"

/* A sentence about the late units of a type that is called `name`, of which one usually takes
 * `typical_ns`. */
void itp_guard_reasons_append(const struct itp_function_table *functions,
			      const struct itp_guard_excess_of_type *told, const char *name,
			      int64_t typical_ns, GString *output);

/* The same as members of an object. */
void itp_guard_reasons_set(const struct itp_function_table *functions,
			   const struct itp_guard_excess_of_type *told, int64_t typical_ns,
			   json_t *object);

#endif
