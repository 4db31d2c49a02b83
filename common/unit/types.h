/* SPDX-License-Identifier: MIT */
/*
 * Types of units: units with the same calls are of one type (PerfGuard, section 4.2).
 *
 * The types follow from the data (kinds.h): the call paths of units, their ticks, and their CPU
 * time. With a user's cut, they follow from the paths alone (like-sets.h).
 *
 * Units are added up as they come (groups.h); types are made of the groups on request.
 */
#ifndef ITP_UNIT_TYPES_H
#define ITP_UNIT_TYPES_H

#include <float.h>

#include "common/base/context-tree.h"
#include "common/infer/latencies.h"
#include "common/infer/slowest.h"
#include "common/unit/path-sets.h"
#include "common/unit/type.h"

/* Cuts between types: from 0 to 1, the least distance of sets of call paths (like-sets.h); or one
 * of these two. ITP_UNIT_CUT: types by all facts about units (kinds.h). ITP_UNIT_CUT_CALLS: the
 * same, with types of the same usual calls merged, as a guard sees no more. */
#define ITP_UNIT_CUT (-DBL_MAX)
#define ITP_UNIT_CUT_CALLS (-DBL_MAX / 2)

struct itp_unit_types;

/* All arguments are weak. */
struct itp_unit_types *itp_unit_types_new(const struct itp_context_tree *tree,
					  const struct itp_function_table *functions,
					  const struct itp_path_sets *paths);
void itp_unit_types_free(struct itp_unit_types *types);

/* Returns the unit's group: units of a group are of one type, for any cut. */
guint itp_unit_types_add(struct itp_unit_types *types, const struct itp_unit *unit);

/* Contexts of units. Weak. */
const struct itp_context_tree *itp_unit_types_tree(const struct itp_unit_types *types);

/* Types of all units until now: a GArray of struct itp_unit_type, the type with most time first.
 * Weak, valid until the next call. */
const GArray *itp_unit_types_find(struct itp_unit_types *types, double cut);

/* Time taken by the last search for types, different from run to run. */
int64_t itp_unit_types_took_ns(const struct itp_unit_types *types);

/* Adds the latencies and the slowest units of the type at `place` to those of `node`. */
void itp_unit_types_add_units(const struct itp_unit_types *types, guint place,
			      struct itp_latencies *latencies, struct itp_slowest *slowest,
			      uint32_t node);

/* Number of groups; their numbers are below it. */
guint itp_unit_types_groups(const struct itp_unit_types *types);

/* Place of a group's type in the last result of itp_unit_types_find(). */
guint itp_unit_types_of_group(const struct itp_unit_types *types, guint group);

#endif
