/* SPDX-License-Identifier: MIT */
/*
 * See unit-work.h.
 */
#include "common/compare/unit-work.h"

#include "common/compare/workload-set.h"

static const struct itp_profile *profile_at(const GPtrArray *workloads, guint i)
{
	return ((const struct itp_set_workload *)g_ptr_array_index(workloads, i))->profile;
}

static bool is_counted(const struct itp_unit_work *work, const struct itp_unit_sum *sum)
{
	if (work->type[0] != '\0') {
		return itp_unit_sum_is_meant(sum, work->type);
	}
	return g_strcmp0(sum->process, work->process) == 0 &&
	       (!work->loop || g_str_equal(sum->loop, work->loop)) &&
	       (!work->wait || g_str_equal(sum->wait, work->wait));
}

uint64_t itp_unit_work_count(const struct itp_unit_work *work, const struct itp_profile *profile)
{
	const struct itp_unit_sum *sum;
	uint64_t count = 0;

	for (guint i = 0; (sum = itp_unit_sums_get(profile->units, i)); i++) {
		count += is_counted(work, sum) ? sum->count : 0;
	}
	return count;
}

static double time_of(const struct itp_unit_work *work, const struct itp_profile *profile)
{
	const struct itp_unit_sum *sum;
	double time_ns = 0;

	for (guint i = 0; (sum = itp_unit_sums_get(profile->units, i)); i++) {
		time_ns += is_counted(work, sum) ? (double)sum->total_ns : 0;
	}
	return time_ns;
}

/* Sum of the units' times in nanoseconds; −1 if a workload has no units of `work`. */
static double time_of_all(const struct itp_unit_work *work, const GPtrArray *workloads)
{
	double time_ns = 0;

	for (guint i = 0; i < workloads->len; i++) {
		if (itp_unit_work_count(work, profile_at(workloads, i)) == 0) {
			return -1;
		}
		time_ns += time_of(work, profile_at(workloads, i));
	}
	return time_ns;
}

/* Chooses the first workload's loop with the most time, of those that all workloads have: compared
 * by function or by system call of its wait. */
static bool choose_loop(struct itp_unit_work *work, const GPtrArray *workloads, bool by_function)
{
	const struct itp_profile *first = profile_at(workloads, 0);
	const struct itp_unit_sum *sum;
	double most_ns = -1;

	for (guint i = 0; (sum = itp_unit_sums_get(first->units, i)); i++) {
		const struct itp_unit_work tried = { .type = "",
						     .process = sum->process,
						     .loop = by_function ? sum->loop : NULL,
						     .wait = by_function ? NULL : sum->wait };
		const double time_ns = time_of_all(&tried, workloads);

		if (time_ns > most_ns) {
			most_ns = time_ns;
			*work = tried;
		}
	}
	return most_ns >= 0;
}

/* Sets the error: the workload has no units at all, none of the type, or no loop in common with the
 * others. */
static void refuse(const struct itp_unit_work *work, const struct itp_profile *profile,
		   GError **error)
{
	const char *name = profile->workload.name;
	g_autofree char *types = itp_unit_sums_list(profile->units);

	if (types[0] == '\0' || work->type[0] != '\0') {
		itp_unit_sums_refuse(profile->units, "per", name, work->type, error);
	} else {
		g_set_error(
			error, G_OPTION_ERROR, G_OPTION_ERROR_BAD_VALUE,
			"parameter \"per\": \"%s\" has no loop of the others; it has units of %s",
			name, types);
	}
}

/* The first workload without units of `work`; the last one if each has some. */
static const struct itp_profile *lacking(const struct itp_unit_work *work,
					 const GPtrArray *workloads)
{
	guint i = 0;

	while (i + 1 < workloads->len &&
	       (work->type[0] == '\0' ?
			itp_unit_sums_get(profile_at(workloads, i)->units, 0) != NULL :
			itp_unit_work_count(work, profile_at(workloads, i)) > 0)) {
		i++;
	}
	return profile_at(workloads, i);
}

bool itp_unit_work_init(struct itp_unit_work *work, const char *type, const GPtrArray *workloads,
			GError **error)
{
	*work = (struct itp_unit_work){ .type = type };
	if (type[0] != '\0' ?
		    time_of_all(work, workloads) < 0 :
		    !choose_loop(work, workloads, true) && !choose_loop(work, workloads, false)) {
		refuse(work, lacking(work, workloads), error);
		return false;
	}
	return true;
}
