/* SPDX-License-Identifier: MIT */
/*
 * See result.h.
 */
#include "common/engine/result.h"

#include "common/base/failure.h"
#include "common/engine/saving.h"
#include "common/engine/stages.h"

struct itp_result {
	/* Weak. */
	const struct itp_graphs *graphs;
	/* Job of ranking or of saving, and graphs that bring traces to it (struct itp_graphs).
	 * Owned by this. */
	struct itp_rank_job *job;
	GPtrArray *traces;
	/* Path of the profile to be saved; NULL for a ranking. Owned by this. */
	char *save;
	bool is_above;
};

static struct itp_rank_job *ranking_new(struct itp_result *result,
					const struct itp_result_options *options, GError **error)
{
	struct itp_rank_host host = options->host;
	GHashTable *values = options->values[ITP_STAGE_RANK];

	if (!itp_stage_check_output(values, options->inputs->paths, error)) {
		return NULL;
	}
	host.ret_is_above = &result->is_above;
	host.can_remember = true;
	return options->page ? itp_page_new(values, options->page, error) :
			       itp_rank_new(values, &host, error);
}

static struct itp_rank_job *job_new(struct itp_result *result,
				    const struct itp_result_options *options, GError **error)
{
	if (!options->save) {
		return ranking_new(result, options, error);
	}
	result->save = g_strdup(options->save);
	return itp_saving_check(options->save, options->inputs->paths, error) ?
		       itp_saving_job_new() :
		       NULL;
}

/* Saved profiles are read at once. */
static bool prepare(struct itp_result *result, const struct itp_result_options *options,
		    GError **error)
{
	result->job = job_new(result, options, error);
	if (!result->job ||
	    !itp_inputs_read_profiles(options->inputs, result->job->workloads, error)) {
		return false;
	}
	result->traces = result->graphs->open_traces(options->inputs->traces, options->values,
						     result->job, error);
	return result->traces;
}

struct itp_result *itp_result_new(const struct itp_result_options *options, GError **error)
{
	struct itp_result *result = g_new0(struct itp_result, 1);

	result->graphs = options->graphs;
	if (!prepare(result, options, error)) {
		g_clear_pointer(&result, itp_result_free);
	}
	return result;
}

bool itp_result_is_above(const struct itp_result *result)
{
	return result->is_above;
}

void itp_result_free(struct itp_result *result)
{
	if (!result) {
		return;
	}
	g_clear_pointer(&result->traces, g_ptr_array_unref);
	if (result->job) {
		result->job->free(result->job);
	}
	g_free(result->save);
	g_free(result);
}

static enum itp_rank_ending ending_of(const struct itp_result_input *input, bool is_read,
				      const GError *error)
{
	if (error) {
		return ITP_RANK_FAILED;
	}
	return is_read && !input->is_interrupted ? ITP_RANK_ENDED : ITP_RANK_INTERRUPTED;
}

/* Readable parts are ranked, whatever happened to the rest. */
static bool rank(struct itp_result *result, const struct itp_result_input *input,
		 struct itp_interrupt *interrupt, GError **error)
{
	GError *reason = NULL;
	GError *refusal = NULL;
	bool is_read = result->graphs->read_traces(result->traces, interrupt, &reason);
	enum itp_rank_ending ending;
	bool done;

	if (!reason && input->failure) {
		reason = g_error_copy(input->failure);
	}
	for (guint i = 0; i < input->profiles->len; i++) {
		itp_memory_profile_rank(
			&g_array_index(input->profiles, struct itp_memory_profile, i), result->job);
	}
	ending = ending_of(input, is_read, reason);
	done = itp_rank_job_finish(result->job, ending, &refusal);
	if (reason) {
		g_propagate_error(error, itp_failure_of_part(reason, refusal));
	} else if (refusal && ending == ITP_RANK_ENDED) {
		g_propagate_error(error, refusal);
	} else {
		/* Refusals after a cut may only be due to the cut: a function that was not called.
		 */
		g_clear_error(&refusal);
	}
	return done && ending == ITP_RANK_ENDED;
}

/* Saves the profile even if not complete, and so marked. */
static bool save(struct itp_result *result, const struct itp_result_input *input,
		 struct itp_interrupt *interrupt, GError **error)
{
	if (!result->graphs->read_traces(result->traces, interrupt, error) ||
	    !itp_saving_run(result->save, result->job, input->profiles, error)) {
		return false;
	}
	if (input->failure) {
		g_propagate_error(error, itp_failure_of_part(g_error_copy(input->failure), NULL));
	}
	return !input->failure && !input->is_interrupted;
}

bool itp_result_run(struct itp_result *result, const struct itp_result_input *input,
		    struct itp_interrupt *interrupt, GError **error)
{
	return result->save ? save(result, input, interrupt, error) :
			      rank(result, input, interrupt, error);
}
