/* SPDX-License-Identifier: MIT */
/*
 * See ranking-job.h.
 */
#include "common/engine/ranking-job.h"

#include "common/base/failure.h"
#include "common/engine/write.h"
#include "common/infer/options.h"

const char *const itp_rank_idle_names[] = {
	[ITP_RANK_IDLE_APART] = "apart",
	[ITP_RANK_IDLE_RANKED] = "ranked",
	NULL,
};

static const char *const *patterns_of(GPtrArray *strings)
{
	if (!strings) {
		return NULL;
	}
	g_ptr_array_add(strings, NULL);
	return (const char *const *)(void *)strings->pdata;
}

bool itp_rank_job_open(struct itp_rank_job *job, GError **error)
{
	struct itp_per_unit per;

	job->module_kinds = (struct itp_module_kinds){
		.own = patterns_of(job->own_modules),
		.runtime = patterns_of(job->runtime_modules),
	};
	if (!itp_per_parse(job->per, &per, error) ||
	    !itp_spread_parse(job->spread, &job->assumed_spread, error) ||
	    !(job->view_options = itp_rank_view_options_new(&job->view, error)) ||
	    (job->output && !itp_write_check(job->output, NULL, error))) {
		return false;
	}
	job->workloads = itp_workload_set_new();
	return true;
}

void itp_rank_job_release(struct itp_rank_job *job)
{
	itp_workload_set_free(job->workloads);
	itp_rank_view_options_free(job->view_options);
}

struct itp_ranking *itp_rank_job_rank(const struct itp_rank_job *job,
				      struct itp_ranking_options options,
				      const struct itp_sides *sides, GError **error)
{
	struct itp_per_unit per;

	options.ranks_idle = job->idle == ITP_RANK_IDLE_RANKED;
	options.min_count = job->min_count;
	options.spread = job->assumed_spread;
	options.per = job->per;
	options.modules = &job->module_kinds;
	return itp_per_parse(job->per, &per, error) &&
			       itp_module_kinds_check(&job->module_kinds,
						      itp_workload_set_functions(sides->workloads),
						      error) ?
		       itp_compare(&options, &per, sides->workloads, sides->suspects, sides->bases,
				   error) :
		       NULL;
}

/* Origin of a profile, by its own words; `in` is NULL without a part. Owned by the caller. */
static char *text_of(const char *in)
{
	return in ? g_strdup_printf("only calls in %s", in) : g_strdup("all calls");
}

/* True when all workloads have the part asked for, or a common one by default. */
static bool check_in(const struct itp_rank_job *job, const GPtrArray *workloads, GError **error)
{
	g_autofree char *asked = job->in ? g_strdelimit(g_strdup(job->in), " ", '_') : NULL;

	for (guint i = 0; i < workloads->len; i++) {
		const struct itp_set_workload *workload = g_ptr_array_index(workloads, i);
		g_autofree char *in =
			itp_options_text_get(workload->profile->workload.options, "in");

		if (i == 0 && !job->in) {
			asked = g_strdup(in);
		}
		if (g_strcmp0(in, asked) != 0) {
			g_autofree char *holds = text_of(in);
			g_autofree char *wanted = text_of(asked);

			itp_failure_set(error,
					"parameter \"in\": \"%s\" holds %s, not %s; take its "
					"recording, or save another profile of that",
					workload->profile->workload.name, holds, wanted);
			return false;
		}
	}
	return true;
}

/* Fails without times: page faults alone, for example, tell nothing of the time between them. */
static bool check_timed(const struct itp_workload_set *workloads, GError **error)
{
	const char *name = itp_workload_set_untimed(workloads);

	if (name) {
		itp_failure_set(
			error,
			"%s: nothing in it tells where time went, as neither ticks of a "
			"timer, switches nor system calls were recorded with stacks; record "
			"with perf introperf record",
			name);
	}
	return !name;
}

bool itp_rank_job_finish(struct itp_rank_job *job, enum itp_rank_ending ending, GError **error)
{
	g_autoptr(GPtrArray) workloads = NULL;
	struct itp_sides sides;
	bool done;

	itp_workload_set_finish(job->workloads);
	workloads = itp_workload_set_list(job->workloads);
	if (!check_timed(job->workloads, error)) {
		return false;
	}
	if (workloads->len == 0 && ending == ITP_RANK_INTERRUPTED) {
		return true;
	}
	if (workloads->len == 0) {
		g_set_error(error, itp_failure_quark(), ITP_FAILURE_NO_CALLS,
			    ITP_FAILURE_NO_CALLS_TEXT);
		return false;
	}
	if (!check_in(job, workloads, error)) {
		return false;
	}
	done = itp_sides_init(&sides, job->workloads, NULL, job->view_options, job->base, error);
	g_clear_pointer(&job->workloads, itp_workload_set_free);
	done = done && job->show_result(job, &sides, ending, error);
	itp_sides_release(&sides);
	return done;
}

bool itp_rank_job_end_period(struct itp_rank_job *job, struct itp_set_workload *period,
			     GError **error)
{
	if (job->show_period && !job->show_period(job, period, error)) {
		return false;
	}
	itp_set_workload_end_period(period);
	return true;
}
