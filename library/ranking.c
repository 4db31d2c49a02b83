/* SPDX-License-Identifier: MIT */
/*
 * Runs of both roles become a ranking of the core's, and users get the parts that they ask for.
 */
#include "library/library.h"

#include "common/infer/kept.h"
#include "common/rank/rank.h"

struct introperf_ranking {
	/* Owned by this. */
	struct itp_ranking *ranking;
};

/* Adds the profiles of a role's runs, weak. False when a run of any role is not finished. */
static bool add_profiles(const struct introperf *introperf, enum introperf_role role,
			 GPtrArray *profiles)
{
	for (guint i = 0; i < introperf->runs->len; i++) {
		const struct introperf_run *run = g_ptr_array_index(introperf->runs, i);

		if (!run->profile) {
			return false;
		}
		if (run->role == role && !itp_profile_is_empty(run->profile)) {
			g_ptr_array_add(profiles, run->profile);
		}
	}
	return true;
}

/* Ranks profiles, of which the first `base_count` are of runs that behave. */
static struct itp_ranking *rank_profiles(const struct introperf *introperf, size_t top,
					 const GPtrArray *profiles, guint base_count)
{
	const struct itp_ranking_options options = { .top = top,
						     .folds = true,
						     .spread = ITP_SPREAD_AUTO };
	g_autofree double *units = g_new(double, profiles->len);
	const struct itp_profile *const *all = (const struct itp_profile *const *)profiles->pdata;
	const struct itp_runs bases = { .profiles = all, .count = base_count, .units = units };
	const struct itp_runs suspects = { .profiles = all + base_count,
					   .count = profiles->len - base_count,
					   .units = units };

	for (guint i = 0; i < profiles->len; i++) {
		units[i] = 1;
	}
	itp_profiles_level((struct itp_profile *const *)profiles->pdata, profiles->len);
	return itp_ranking_new(&options, introperf->functions, introperf->tree, &suspects,
			       base_count > 0 ? &bases : NULL);
}

int introperf_rank(struct introperf *introperf, size_t top, struct introperf_ranking **ret_ranking)
{
	g_autoptr(GPtrArray) profiles = g_ptr_array_new();
	guint base_count;

	if (!add_profiles(introperf, INTROPERF_BASE, profiles)) {
		return INTROPERF_ERROR_UNFINISHED;
	}
	base_count = profiles->len;
	add_profiles(introperf, INTROPERF_SUSPECT, profiles);
	if (profiles->len == base_count) {
		return INTROPERF_ERROR_NO_SUSPECT;
	}
	*ret_ranking = g_new0(struct introperf_ranking, 1);
	(*ret_ranking)->ranking = rank_profiles(introperf, top, profiles, base_count);
	return INTROPERF_OK;
}

void introperf_ranking_free(struct introperf_ranking *ranking)
{
	if (ranking) {
		itp_ranking_free(ranking->ranking);
		g_free(ranking);
	}
}

size_t introperf_ranking_size(const struct introperf_ranking *ranking)
{
	return ranking->ranking->paths->len;
}

/* NULL without such a path. */
static const struct itp_ranked_path *path_of(const struct introperf_ranking *ranking, size_t entry)
{
	const GArray *paths = ranking->ranking->paths;

	return entry < paths->len ? &g_array_index(paths, struct itp_ranked_path, entry) : NULL;
}

static const struct itp_function *function_of(const struct introperf_ranking *ranking, uint32_t id)
{
	return itp_function_table_get(ranking->ranking->functions, id);
}

int introperf_ranking_entry(const struct introperf_ranking *ranking, size_t entry,
			    struct introperf_entry *ret_entry)
{
	const struct itp_ranked_path *path = path_of(ranking, entry);

	if (!path) {
		return INTROPERF_ERROR_NO_SUCH;
	}
	*ret_entry = (struct introperf_entry){
		.cost_ns = path->cost,
		.suspect_ns = path->suspect_value,
		.base_ns = path->base_value,
		.calls = path->suspect_calls,
		.base_calls = path->base_calls,
		.blocked_ns = path->delta.use.blocked_ns,
		.cpu_ns = path->delta.use.cpu_ns,
		.process = function_of(ranking, path->process)->name,
		.frame_count = path->frame_count,
		.culprit = path->culprit,
		.is_noise = itp_significance_is_chance(&path->significance),
	};
	return 0;
}

int introperf_ranking_place(const struct introperf_ranking *ranking, size_t entry, size_t frame,
			    struct introperf_place *ret_place)
{
	static const struct itp_node_stats nothing;
	const struct itp_ranked_path *path = path_of(ranking, entry);
	const struct itp_ranked_frame *ranked;
	const struct itp_node_stats *base;

	if (!path || frame >= path->frame_count) {
		return INTROPERF_ERROR_NO_SUCH;
	}
	ranked = &path->frames[frame];
	base = ranked->base ? ranked->base : &nothing;
	*ret_place = (struct introperf_place){
		.function = function_of(ranking, ranked->function)->name,
		.module = function_of(ranking, ranked->function)->module,
		.total_ns = ranked->suspect->total_ns,
		.base_total_ns = base->total_ns,
		.own_ns = ranked->suspect->own_ns,
		.base_own_ns = base->own_ns,
		.calls = ranked->suspect->count,
		.base_calls = base->count,
	};
	return 0;
}
