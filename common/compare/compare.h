/* SPDX-License-Identifier: MIT */
/*
 * Comparison of workloads: a view of all that arrived, divided into good ones and suspects.
 *
 *   workload-set.c  contents of the inputs, and a view of them
 *   compare.c       the two sides of a view, by the work that each run did (parameter `per`)
 *   unit-work.c     work counted by units
 *   countable.c     values of `per` that there are
 *   first-path.c    the slowest calls, if users name none
 *
 * Inputs are read by the hosts; common/rank finds the functions that explain the time.
 */
#ifndef ITP_COMPARE_COMPARE_H
#define ITP_COMPARE_COMPARE_H

#include <glib.h>
#include <stdbool.h>

#include "common/compare/workload-set.h"
#include "common/rank/rank.h"
#include "common/rank/scale.h"

/* Adds the `workloads` (const struct itp_set_workload *) named by `names` (char *, NULL = none) to
 * the set *ret_base. Fails if a name means none of them, if all are named, and if there are several
 * but no names; the error lists the workloads. */
bool itp_base_find(const GPtrArray *workloads, const GPtrArray *names, GHashTable *ret_base,
		   GError **error);

struct itp_sides {
	/* Owned by this. */
	struct itp_workload_set *workloads;
	/* const struct itp_set_workload * of `workloads`. Owned by this. */
	GPtrArray *suspects;
	GPtrArray *bases;
};

/* Divides a view of `workloads`. `base` holds the names (char *) of the good ones, NULL = none.
 * With `period`, which may be NULL, the latest period of that workload is the only suspect, if it
 * is a suspect at all. To be released, also after an error. */
bool itp_sides_init(struct itp_sides *sides, const struct itp_workload_set *workloads,
		    const struct itp_set_workload *period, const struct itp_view_options *options,
		    const GPtrArray *base, GError **error);
void itp_sides_release(struct itp_sides *sides);

/* The value of `per`, taken apart. */
struct itp_per_unit {
	enum itp_per per;
	/* Rest of the parsed string: a function, an event or a type of units; "" without any. */
	const char *name;
};

/* `text` is the parameter's value, or NULL for the default. */
bool itp_per_parse(const char *text, struct itp_per_unit *ret_per, GError **error);

/* Sets *ret_spread to a fraction: 0.03 for the `text` "3%", ITP_SPREAD_AUTO for NULL. */
bool itp_spread_parse(const char *text, double *ret_spread, GError **error);

/* Ranks `suspects` against `bases` (GPtrArray of const struct itp_set_workload *; `bases` may be
 * empty). NULL when a run has no unit of work. Free with itp_ranking_free(). */
struct itp_ranking *itp_compare(const struct itp_ranking_options *options,
				const struct itp_per_unit *per,
				const struct itp_workload_set *workloads, const GPtrArray *suspects,
				const GPtrArray *bases, GError **error);

/* Merges all runs of each side into a profile, and scales the base to as much work as the suspect
 * did; *ret_base is NULL without a base. Free them with itp_profile_free(). False when a run has no
 * unit of work. */
bool itp_compare_merge(const struct itp_per_unit *per, const struct itp_workload_set *workloads,
		       const GPtrArray *suspects, const GPtrArray *bases,
		       struct itp_profile **ret_suspect, struct itp_profile **ret_base,
		       GError **error);

#endif
