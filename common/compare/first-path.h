/* SPDX-License-Identifier: MIT */
/*
 * The slow part of a workload if nobody names it: the culprit of the path that ranks first when the
 * workload is ranked alone, or against a base; and its slowest calls as symptoms.
 */
#ifndef ITP_COMPARE_FIRST_PATH_H
#define ITP_COMPARE_FIRST_PATH_H

#include "common/infer/profile-source.h"
#include "common/wait/symptom.h"

/* Symptoms of a trace: those `wished` for, or if it is NULL, the slowest calls of the first path of
 * `source`, none if no path is left. A GArray of struct itp_symptom (common/wait/critical-path.h),
 * without *ret_left_out of them that are part of others (common/wait/nested.h); *ret_calls is the
 * number of calls of which they are the slow ones. NULL after an error. Free with g_array_unref().
 */
GArray *itp_trace_symptoms(struct itp_symptoms *wished, const struct itp_profile_source *source,
			   const struct itp_history *history, guint *ret_calls, guint *ret_left_out,
			   GError **error);

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
