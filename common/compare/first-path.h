/* SPDX-License-Identifier: MIT */
/*
 * The slow part of a workload if nobody names it: the culprit of the path that ranks first when the
 * workload is ranked alone, or against a base; and its slowest calls as symptoms.
 */
#ifndef ITP_COMPARE_FIRST_PATH_H
#define ITP_COMPARE_FIRST_PATH_H

#include "common/infer/profile-source.h"

/* Slowest calls of the path: a GArray of struct itp_symptom (common/wait/critical-path.h), empty if
 * no path is left. NULL after an error. Free with g_array_unref(). */
GArray *itp_first_path_symptoms(const struct itp_profile_source *source, GError **error);

struct itp_first_path_culprit {
	/* Both NULL if no path is left. Owned by the caller. */
	char *name;
	char *module;
};

/* `base` may be NULL. False after an error. */
bool itp_first_path_culprit(const struct itp_profile_source *source,
			    const struct itp_profile_source *base,
			    struct itp_first_path_culprit *ret_culprit, GError **error);

#endif
