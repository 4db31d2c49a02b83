/* SPDX-License-Identifier: MIT */
/*
 * See compare.h.
 */
#include "common/compare/compare.h"

#include <string.h>

#define PERCENT_MOST 100

/* The runs of one side. */
struct side {
	struct itp_runs runs;
	const struct itp_profile **profiles;
	double *units;
};

static const struct {
	const char *text;
	enum itp_per per;
	bool has_name;
} units[] = {
	{ "run", ITP_PER_RUN, false },
	{ "second", ITP_PER_SECOND, false },
	{ "event:", ITP_PER_EVENT, true },
	{ "call:", ITP_PER_CALL, true },
};

bool itp_per_parse(const char *text, struct itp_per_unit *ret_per, GError **error)
{
	*ret_per = (struct itp_per_unit){ .per = ITP_PER_RUN, .name = "" };
	if (!text) {
		return true;
	}
	for (size_t i = 0; i < G_N_ELEMENTS(units); i++) {
		size_t length = strlen(units[i].text);

		if (units[i].has_name ? g_str_has_prefix(text, units[i].text) && text[length] :
					strcmp(text, units[i].text) == 0) {
			ret_per->per = units[i].per;
			ret_per->name = text + (units[i].has_name ? length : strlen(text));
			return true;
		}
	}
	g_set_error(error, G_OPTION_ERROR, G_OPTION_ERROR_BAD_VALUE,
		    "parameter \"per\": \"%s\" is not one of run, second, event:SYSTEM-CALL, "
		    "call:FUNCTION",
		    text);
	return false;
}

bool itp_spread_parse(const char *text, double *ret_spread, GError **error)
{
	char *unit = NULL;
	double percent = text ? g_ascii_strtod(text, &unit) : 0;

	if (!text) {
		*ret_spread = ITP_SPREAD_AUTO;
		return true;
	}
	if (unit == text || strcmp(unit, "%") != 0 || !(percent >= 0 && percent <= PERCENT_MOST)) {
		g_set_error(error, G_OPTION_ERROR, G_OPTION_ERROR_BAD_VALUE,
			    "parameter \"spread\": \"%s\" is not a percentage from \"0%%\" to "
			    "\"100%%\"",
			    text);
		return false;
	}
	*ret_spread = percent / PERCENT_MOST;
	return true;
}

/* Calls may have come between two stacks. */
static void refuse_unknown(const char *workload, const struct itp_per_unit *per, GError **error)
{
	if (per->per == ITP_PER_EVENT) {
		g_set_error(error, G_OPTION_ERROR, G_OPTION_ERROR_BAD_VALUE,
			    "parameter \"per\": how often \"%s\" made the system call %s is not "
			    "known; record system calls (perf introperf record without --light)",
			    workload, per->name);
	} else {
		g_set_error(error, G_OPTION_ERROR, G_OPTION_ERROR_BAD_VALUE,
			    "parameter \"per\": how often \"%s\" called %s is not known, as calls "
			    "may have come between two stacks; record with perf introperf "
			    "record --count %s",
			    workload, per->name, per->name);
	}
}

static bool side_init(struct side *side, const struct itp_per_unit *per,
		      const struct itp_workload_set *workloads, const GPtrArray *list,
		      GError **error)
{
	side->profiles = g_new0(const struct itp_profile *, list->len + 1);
	side->units = g_new0(double, list->len + 1);
	side->runs = (struct itp_runs){ .profiles = side->profiles,
					.count = list->len,
					.units = side->units };
	for (guint i = 0; i < list->len; i++) {
		const struct itp_set_workload *workload = g_ptr_array_index(list, i);

		side->profiles[i] = workload->profile;
		side->units[i] =
			itp_work_units(workload->profile, itp_workload_set_functions(workloads),
				       itp_workload_set_tree(workloads), per->per, per->name);
		if (side->units[i] == ITP_WORK_UNKNOWN) {
			refuse_unknown(workload->profile->workload.name, per, error);
			return false;
		}
		if (side->units[i] <= 0) {
			g_set_error(error, G_OPTION_ERROR, G_OPTION_ERROR_BAD_VALUE,
				    "parameter \"per\": \"%s\" has nothing of %s%s",
				    workload->profile->workload.name,
				    per->per == ITP_PER_SECOND ? "a second" : per->name,
				    per->per == ITP_PER_SECOND ? "" : " to divide its times by");
			return false;
		}
	}
	return true;
}

static void side_release(struct side *side)
{
	g_free(side->profiles);
	g_free(side->units);
}

struct itp_ranking *itp_compare(const struct itp_ranking_options *options,
				const struct itp_per_unit *per,
				const struct itp_workload_set *workloads, const GPtrArray *suspects,
				const GPtrArray *bases, GError **error)
{
	struct side suspect = { .units = NULL };
	struct side base = { .units = NULL };
	struct itp_ranking *ranking = NULL;

	if (side_init(&suspect, per, workloads, suspects, error) &&
	    side_init(&base, per, workloads, bases, error)) {
		ranking = itp_ranking_new(options, itp_workload_set_functions(workloads),
					  itp_workload_set_tree(workloads), &suspect.runs,
					  bases->len > 0 ? &base.runs : NULL);
		ranking->pairs = itp_workload_set_pairs(workloads);
		ranking->renamings = itp_workload_set_renamings(workloads);
	}
	side_release(&suspect);
	side_release(&base);
	return ranking;
}

bool itp_compare_merge(const struct itp_per_unit *per, const struct itp_workload_set *workloads,
		       const GPtrArray *suspects, const GPtrArray *bases,
		       struct itp_profile **ret_suspect, struct itp_profile **ret_base,
		       GError **error)
{
	struct side suspect = { .units = NULL };
	struct side base = { .units = NULL };
	bool done = side_init(&suspect, per, workloads, suspects, error) &&
		    side_init(&base, per, workloads, bases, error);

	if (done) {
		*ret_suspect = itp_runs_merge(&suspect.runs);
		*ret_base = bases->len > 0 ? itp_runs_merge(&base.runs) : NULL;
	}
	if (done && *ret_base) {
		itp_profile_scale(*ret_base,
				  itp_runs_units(&suspect.runs) / itp_runs_units(&base.runs));
	}
	side_release(&suspect);
	side_release(&base);
	return done;
}
