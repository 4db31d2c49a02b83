/* SPDX-License-Identifier: MIT */
/*
 * How the workloads that arrived are compared: the runs of each side, and how much work each did
 * by the parameter `per`.
 */
#ifndef ITP_SINKS_PROFILES_COMPARE_H
#define ITP_SINKS_PROFILES_COMPARE_H

#include <glib.h>
#include <stdbool.h>

#include "common/rank/ranking.h"
#include "common/rank/scale.h"
#include "sinks/profiles/workloads.h"

/* The value of `per`, taken apart. */
struct itp_rank_per {
	enum itp_per per;
	/* Part of the string that was parsed; "" where there is none. */
	const char *name;
};

/* `text` is the parameter's value, or NULL for the default. */
bool itp_rank_per_parse(const char *text, struct itp_rank_per *ret_per, GError **error);

/* The part that `text`, such as "3%", or NULL for the default, is. */
bool itp_rank_spread_parse(const char *text, double *ret_spread, GError **error);

/* Ranks `suspects` against `bases` (GPtrArray of const struct itp_rank_workload *; `bases` may be
 * empty). NULL when a run has no unit of work. Free with itp_ranking_free(). */
struct itp_ranking *itp_rank_compare(const struct itp_ranking_options *options,
				     const struct itp_rank_per *per,
				     const struct itp_rank_workloads *workloads,
				     const GPtrArray *suspects, const GPtrArray *bases,
				     GError **error);

/* All runs of each side as one profile, the base scaled to as much work as the suspect did;
 * *ret_base is NULL without one. Free them with itp_profile_free(). False when a run has no unit of
 * work. */
bool itp_rank_merge(const struct itp_rank_per *per, const struct itp_rank_workloads *workloads,
		    const GPtrArray *suspects, const GPtrArray *bases,
		    struct itp_profile **ret_suspect, struct itp_profile **ret_base,
		    GError **error);

#endif
