/* SPDX-License-Identifier: MIT */
/*
 * What is compared, and how: a view of the workloads that arrived, divided into those that behave
 * and those under suspicion; the runs of each side, and how much work each did by the parameter
 * `per`.
 */
#ifndef ITP_COMPARE_COMPARE_H
#define ITP_COMPARE_COMPARE_H

#include <glib.h>
#include <stdbool.h>

#include "common/compare/workload-set.h"
#include "common/rank/ranking.h"
#include "common/rank/scale.h"

/* Adds those of `workloads` (const struct itp_set_workload *) that `names` (char *, NULL = none)
 * name to the set *ret_base. Fails where a name means none of them, where all are named, and where
 * none is though there are several; the error lists them. */
bool itp_base_find(const GPtrArray *workloads, const GPtrArray *names, GHashTable *ret_base,
		   GError **error);

struct itp_sides {
	/* Owned by this. */
	struct itp_workload_set *workloads;
	/* const struct itp_set_workload * of these. Owned by this. */
	GPtrArray *suspects;
	GPtrArray *bases;
};

/* `base` has the names (char *) of those that behave, NULL = none. With `period`, which may be
 * NULL, this period of it is the only suspect, if it is one. To be released, also after an error.
 */
bool itp_sides_init(struct itp_sides *sides, const struct itp_workload_set *workloads,
		    const struct itp_set_workload *period, const struct itp_view_options *options,
		    const GPtrArray *base, GError **error);
void itp_sides_release(struct itp_sides *sides);

/* The value of `per`, taken apart. */
struct itp_per_unit {
	enum itp_per per;
	/* Part of the string that was parsed; "" where there is none. */
	const char *name;
};

/* `text` is the parameter's value, or NULL for the default. */
bool itp_per_parse(const char *text, struct itp_per_unit *ret_per, GError **error);

/* The part that `text`, such as "3%", or NULL for the default, is. */
bool itp_spread_parse(const char *text, double *ret_spread, GError **error);

/* Ranks `suspects` against `bases` (GPtrArray of const struct itp_set_workload *; `bases` may be
 * empty). NULL when a run has no unit of work. Free with itp_ranking_free(). */
struct itp_ranking *itp_compare(const struct itp_ranking_options *options,
				const struct itp_per_unit *per,
				const struct itp_workload_set *workloads, const GPtrArray *suspects,
				const GPtrArray *bases, GError **error);

/* All runs of each side as one profile, the base scaled to as much work as the suspect did;
 * *ret_base is NULL without one. Free them with itp_profile_free(). False when a run has no unit of
 * work. */
bool itp_compare_merge(const struct itp_per_unit *per, const struct itp_workload_set *workloads,
		       const GPtrArray *suspects, const GPtrArray *bases,
		       struct itp_profile **ret_suspect, struct itp_profile **ret_base,
		       GError **error);

#endif
