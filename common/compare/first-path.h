/* SPDX-License-Identifier: MIT */
/*
 * The symptoms of a workload where nobody says what is slow: the slowest calls of the culprit of
 * the path that ranks first when the workload is ranked alone.
 */
#ifndef ITP_COMPARE_FIRST_PATH_H
#define ITP_COMPARE_FIRST_PATH_H

#include "common/infer/profile-source.h"

/* A GArray of struct itp_symptom (common/wait/critical-path.h), empty where no path is left. NULL
 * after an error. Free with g_array_unref(). */
GArray *itp_first_path_symptoms(const struct itp_profile_source *source, GError **error);

#endif
