/* SPDX-License-Identifier: MIT */
/*
 * See first-path.h. Ranked as perf introperf report does without options.
 */
#include "common/compare/first-path.h"

#include "common/compare/compare.h"
#include "common/rank/detail.h"
#include "common/wait/critical-path.h"

static GArray *symptoms_of(const struct itp_ranking *ranking)
{
	struct itp_path_detail detail;

	if (ranking->paths->len == 0) {
		return g_array_new(FALSE, FALSE, sizeof(struct itp_symptom));
	}
	itp_path_detail_init(&detail, ranking,
			     &g_array_index(ranking->paths, struct itp_ranked_path, 0));
	return itp_call_detail_symptoms(&detail.suspect);
}

static GArray *rank(const struct itp_sides *sides, GError **error)
{
	struct itp_ranking_options options = { .top = 1, .folds = true };
	struct itp_ranking *ranking = NULL;
	struct itp_per_unit per;
	GArray *symptoms;

	if (itp_spread_parse(NULL, &options.spread, error) && itp_per_parse(NULL, &per, error)) {
		ranking = itp_compare(&options, &per, sides->workloads, sides->suspects,
				      sides->bases, error);
	}
	symptoms = ranking ? symptoms_of(ranking) : NULL;
	itp_ranking_free(ranking);
	return symptoms;
}

static struct itp_workload_set *set_of(const struct itp_profile_source *source)
{
	const struct itp_workload *described = &source->profile->workload;
	struct itp_workload_set *set = itp_workload_set_new();

	itp_workload_set_add_source(set,
				    itp_workload_set_add(set, described->name, &described->clock,
							 described->architecture),
				    source);
	itp_workload_set_finish(set);
	return set;
}

GArray *itp_first_path_symptoms(const struct itp_profile_source *source, GError **error)
{
	struct itp_workload_set *set = set_of(source);
	g_autoptr(GPtrArray) workloads = itp_workload_set_list(set);
	struct itp_names *names = itp_names_new(true);
	const struct itp_view_options options = { .names = names, .fold_recursion = true };
	struct itp_sides sides = { .workloads = NULL };
	GArray *symptoms = NULL;

	if (workloads->len == 0) {
		symptoms = g_array_new(FALSE, FALSE, sizeof(struct itp_symptom));
	} else if (itp_sides_init(&sides, set, NULL, &options, NULL, error)) {
		symptoms = rank(&sides, error);
	}
	itp_sides_release(&sides);
	itp_names_free(names);
	itp_workload_set_free(set);
	return symptoms;
}
