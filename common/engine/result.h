/* SPDX-License-Identifier: MIT */
/*
 * The result of a request: a ranking of profiles in memory and of traces in files, or a saved
 * profile.
 *
 * Made at the beginning, so that wrong parameters are known before anything is read.
 */
#ifndef ITP_ENGINE_RESULT_H
#define ITP_ENGINE_RESULT_H

#include "common/engine/host-graphs.h"
#include "common/engine/inputs.h"
#include "common/engine/memory-profile.h"
#include "common/engine/page-job.h"
#include "common/engine/written-ranking.h"

struct itp_result;

/* All is weak, and needed only while the result is made, but for `graphs` and what `host` points
 * to. */
struct itp_result_options {
	/* Graphs for traces and saved profiles. */
	const struct itp_graphs *graphs;
	/* Maps by enum itp_stage. */
	GHashTable *const *values;
	/* Inputs, of which traces are read beside the profiles in memory. */
	const struct itp_inputs *inputs;
	/* Path of the profile to save instead of a ranking, or NULL. */
	const char *save;
	/* Host of a ranking, but for the members `ret_is_above` and `can_remember`. */
	struct itp_rank_host host;
	/* The result is a page, for this host, which must outlive it; NULL: it is written. */
	const struct itp_page_host *page;
};

struct itp_result *itp_result_new(const struct itp_result_options *options, GError **error);
void itp_result_free(struct itp_result *result);

/* Profiles to be ranked or saved. */
struct itp_result_input {
	/* struct itp_memory_profile. Weak. */
	const GArray *profiles;
	/* Failure of their reading, or NULL. Weak. */
	const GError *failure;
	/* The profiles are an interrupted run's. */
	bool is_interrupted;
};

/* Ranks or saves. To be called once. False after an error, which begins as `failure` does when
 * nothing else happens, and after an interrupt, without an error then. */
bool itp_result_run(struct itp_result *result, const struct itp_result_input *input,
		    struct itp_interrupt *interrupt, GError **error) G_GNUC_WARN_UNUSED_RESULT;

/* After a failure: true when something is above a limit of the parameter `fail-above`, and nothing
 * else is wrong. */
bool itp_result_is_above(const struct itp_result *result);

#endif
