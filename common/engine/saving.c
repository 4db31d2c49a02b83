/* SPDX-License-Identifier: MIT */
/*
 * See saving.h.
 */
#include "common/engine/saving.h"

#include <errno.h>
#include <fcntl.h>
#include <unistd.h>

#include "common/base/failure.h"
#include "common/engine/memory-profile.h"
#include "common/engine/place.h"
#include "common/engine/write.h"
#include "common/profile-file/profile-file.h"

#define REFUSAL "the profile cannot be saved"

static bool refuse(const char *path, int code, GError **error)
{
	itp_failure_set(error, "%s: " REFUSAL ": %s", path, g_strerror(code));
	return false;
}

static bool check_place(const struct itp_place *place, const char *path, const GPtrArray *inputs,
			GError **error)
{
	if (place->exists) {
		return refuse(path, EEXIST, error);
	}
	if (faccessat(place->directory, ".", W_OK, AT_EACCESS) != 0) {
		return refuse(path, errno, error);
	}
	return itp_place_check_inputs(place, path, inputs, error);
}

bool itp_saving_check(const char *path, const GPtrArray *inputs, GError **error)
{
	struct itp_place place;
	const bool done = itp_place_find(&place, path, REFUSAL, error) &&
			  check_place(&place, path, inputs, error);

	itp_place_release(&place);
	return done;
}

static void free_job(struct itp_rank_job *job)
{
	itp_workload_set_free(job->workloads);
	g_free(job);
}

struct itp_rank_job *itp_saving_job_new(void)
{
	struct itp_rank_job *job = g_new0(struct itp_rank_job, 1);

	job->workloads = itp_workload_set_new();
	job->free = free_job;
	return job;
}

static void add_profile(GString *file, const struct itp_memory_profile *profile)
{
	itp_profile_file_add(file, profile);
	profile->forget(profile->data);
}

bool itp_saving_run(const char *path, struct itp_rank_job *job, const GArray *profiles,
		    GError **error)
{
	g_autoptr(GArray) workloads = itp_memory_profiles_of_set(job->workloads);
	GString *file = itp_profile_file_begin();
	bool done;

	for (guint i = 0; i < workloads->len; i++) {
		add_profile(file, &g_array_index(workloads, struct itp_memory_profile, i));
	}
	for (guint i = 0; i < profiles->len; i++) {
		add_profile(file, &g_array_index(profiles, struct itp_memory_profile, i));
	}
	itp_profile_file_end(file);
	done = itp_write(path, file, error);
	g_string_free(file, TRUE);
	return done;
}
