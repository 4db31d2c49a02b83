/* SPDX-License-Identifier: MIT */
/*
 * See first-path.h. Ranked as perf introperf report and diff do without options.
 */
#include "common/compare/first-path.h"

#include "common/compare/compare.h"
#include "common/rank/detail.h"
#include "common/wait/nested.h"

/* Looks at the first path of a ranking. */
typedef void (*look_function)(const struct itp_ranking *ranking, const struct itp_ranked_path *path,
			      void *data);

static bool rank(const struct itp_sides *sides, look_function look, void *data, GError **error)
{
	const struct itp_ranking_options options = { .top = 1,
						     .folds = true,
						     .spread = ITP_SPREAD_AUTO };
	const struct itp_per_unit per = { .per = ITP_PER_RUN, .name = "" };
	struct itp_ranking *ranking =
		itp_compare(&options, &per, sides->workloads, sides->suspects, sides->bases, error);

	if (ranking && ranking->paths->len > 0) {
		look(ranking, &g_array_index(ranking->paths, struct itp_ranked_path, 0), data);
	}
	itp_ranking_free(ranking);
	return ranking != NULL;
}

static void add(struct itp_workload_set *set, const struct itp_profile_source *source)
{
	const struct itp_workload *described = &source->profile->workload;

	itp_workload_set_add_source(set,
				    itp_workload_set_add(set, described->name, &described->clock,
							 described->architecture),
				    source);
}

/* Calls `look`, unless no path is left. `base` may be NULL. False after an error. */
static bool look_at_first(const struct itp_profile_source *source,
			  const struct itp_profile_source *base, look_function look, void *data,
			  GError **error)
{
	struct itp_workload_set *set = itp_workload_set_new();
	g_autoptr(GPtrArray) base_names = base ? g_ptr_array_new() : NULL;
	g_autoptr(GPtrArray) workloads = NULL;
	struct itp_names *names = itp_names_new(true);
	const struct itp_view_options options = { .names = names, .fold_recursion = true };
	struct itp_sides sides = { .workloads = NULL };
	bool done;

	if (base) {
		add(set, base);
		g_ptr_array_add(base_names, (char *)base->profile->workload.name);
	}
	add(set, source);
	itp_workload_set_finish(set);
	workloads = itp_workload_set_list(set);
	done = workloads->len == 0 ||
	       (itp_sides_init(&sides, set, NULL, &options, base_names, error) &&
		rank(&sides, look, data, error));
	itp_sides_release(&sides);
	itp_names_free(names);
	itp_workload_set_free(set);
	return done;
}

/* ---- Findings of a path ---- */

/* Sets a GArray *. */
static void take_symptoms(const struct itp_ranking *ranking, const struct itp_ranked_path *path,
			  void *data)
{
	struct itp_path_detail detail;

	itp_path_detail_init(&detail, ranking, path);
	*(GArray **)data = itp_call_detail_symptoms(&detail.suspect);
}

GArray *itp_trace_symptoms(struct itp_symptoms *wished, const struct itp_profile_source *source,
			   const struct itp_history *history, guint *ret_calls, guint *ret_left_out,
			   GError **error)
{
	GArray *symptoms = NULL;

	if (wished) {
		symptoms = itp_symptoms_finish(wished, ret_calls);
	} else if (look_at_first(source, NULL, take_symptoms, &symptoms, error)) {
		symptoms = symptoms ? symptoms :
				      g_array_new(FALSE, FALSE, sizeof(struct itp_symptom));
		*ret_calls = symptoms->len;
	} else {
		return NULL;
	}
	*ret_left_out = itp_symptoms_leave_out_parts(symptoms, history);
	return symptoms;
}

/* Fills a struct itp_first_path_culprit. */
static void take_culprit(const struct itp_ranking *ranking, const struct itp_ranked_path *path,
			 void *data)
{
	const struct itp_ranked_frame *face = itp_path_face(path);
	struct itp_first_path_culprit *culprit = data;
	const struct itp_function *function;

	if (face) {
		function = itp_function_table_get(ranking->functions, face->function);
		culprit->name = g_strdup(function->name);
		culprit->module = g_strdup(function->module);
	}
}

bool itp_first_path_culprit(const struct itp_profile_source *source,
			    const struct itp_profile_source *base,
			    struct itp_first_path_culprit *ret_culprit, GError **error)
{
	struct itp_first_path_culprit culprit = { .name = NULL };
	bool done = look_at_first(source, base, take_culprit, &culprit, error);

	if (done) {
		*ret_culprit = culprit;
	}
	return done;
}
