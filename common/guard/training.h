/* SPDX-License-Identifier: MIT */
/*
 * What a guard file is to say of a recording's types of units (PerfGuard, sections 4.2 to 4.5).
 *
 * Of a loop the types that took most time are kept, and of its contexts those that tell types
 * apart best.
 */
#ifndef ITP_GUARD_TRAINING_H
#define ITP_GUARD_TRAINING_H

#include "common/base/context-tree.h"
#include "common/guard/guard.h"
#include "common/unit/finder.h"
#include "common/unit/profiles.h"

/* From when on a unit is late. */
enum itp_guard_limit {
	/* Some deviations above the mean, as the paper has it; or some median deviations above the
	 * median. */
	ITP_GUARD_LIMIT_MEAN,
	ITP_GUARD_LIMIT_MEDIAN,
	/* The first of these, or longer than the longest, if that is more: of n units like those
	 * before, one more is the longest in one case of n + 1. */
	ITP_GUARD_LIMIT_LONGEST,
};

/* Their names, in the order of the numbers, with NULL at the end. */
extern const char *const itp_guard_limit_names[];

struct itp_guard_training {
	/* All weak; `types` are struct itp_unit_type. */
	const struct itp_context_tree *tree;
	const struct itp_function_table *functions;
	const GArray *types;
	enum itp_guard_limit limit;
	/* Whose profiles they are, by the groups of `all`, which has found the types, and the tree
	 * of these; NULL without such. Weak. */
	const struct itp_unit_profiles *profiles;
	const struct itp_unit_types *all;
	const struct itp_context_tree *calls;
	/* Who has found the units, and knows all waits of a loop; NULL: those of the types are
	 * all. Weak. */
	const struct itp_unit_finder *finder;
};

/* What there was no room for, and loops that had too few units. */
struct itp_guard_left_out {
	guint rare_loops;
	/* Of coroutines, and of threads that run these: a guard would take the time until there is
	 * something to do for that of the unit before. */
	guint coroutine_loops;
	guint loops;
	guint types;
	guint contexts;
};

/* Adds what was found in one recording. A loop that is there already is left as it is. */
void itp_guard_file_train(struct itp_guard_file *file, const struct itp_guard_training *training,
			  struct itp_guard_left_out *left_out);

/* For each of the types, how many of the contexts of its units a guard would watch (PerfGuard,
 * section 7: |PG|); 0 for those of loops that have no guards. `ret_points` has as many numbers as
 * there are types. */
void itp_guard_count_points(const struct itp_guard_training *training, guint *ret_points);

#endif
