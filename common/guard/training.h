/* SPDX-License-Identifier: MIT */
/*
 * From a recording's types of units to a guard file (PerfGuard, sections 4.2 to 4.5).
 *
 * Loops keep the types with most time, and the contexts that separate types best.
 */
#ifndef ITP_GUARD_TRAINING_H
#define ITP_GUARD_TRAINING_H

#include "common/base/context-tree.h"
#include "common/guard/guard.h"
#include "common/unit/finder.h"
#include "common/unit/profiles.h"

/* Limits, from which on a unit is late. */
enum itp_guard_limit {
	/* Some deviations above the mean, as in the paper; some median deviations above the
	 * median. */
	ITP_GUARD_LIMIT_MEAN,
	ITP_GUARD_LIMIT_MEDIAN,
	/* The limit by the mean, or the longest unit if longer: a further unit like the n before is
	 * the longest in one case of n + 1. */
	ITP_GUARD_LIMIT_LONGEST,
};

/* Names of limits, in the order of the numbers, with NULL at the end. */
extern const char *const itp_guard_limit_names[];

struct itp_guard_training {
	/* All weak; `types` are struct itp_unit_type. */
	const struct itp_context_tree *tree;
	const struct itp_function_table *functions;
	const GArray *types;
	enum itp_guard_limit limit;
	/* Profiles of the types, by groups of `all`, the finder of the types, with the tree
	 * `calls`; NULL without profiles. Weak. */
	const struct itp_unit_profiles *profiles;
	const struct itp_unit_types *all;
	const struct itp_context_tree *calls;
	/* Finder of the units, with all waits of a loop; NULL: only waits of the types are known.
	 * Weak. */
	const struct itp_unit_finder *finder;
};

/* Counts of things left out: loops with too few units, and anything without room. */
struct itp_guard_left_out {
	guint rare_loops;
	/* Loops of coroutines, and of threads that run them: a guard would count idle time as time
	 * of the unit before. */
	guint coroutine_loops;
	guint loops;
	guint types;
	guint contexts;
};

/* Adds the types of a recording. Loops already in the file stay unchanged. */
void itp_guard_file_train(struct itp_guard_file *file, const struct itp_guard_training *training,
			  struct itp_guard_left_out *left_out);

/* Number of watched contexts of each type's units (PerfGuard, section 7: |PG|); 0 for types of
 * loops without guards. `ret_points` has an element for each type. */
void itp_guard_count_points(const struct itp_guard_training *training, guint *ret_points);

#endif
