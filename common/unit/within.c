/* SPDX-License-Identifier: MIT */
/*
 * See within.h.
 */
#include "common/unit/within.h"

#include <string.h>

#include "common/base/error.h"
#include "common/infer/options.h"
#include "common/unit/finder.h"
#include "common/unit/summary.h"

#define ALL "unit"
#define ONE_TYPE "unit:"

struct itp_within {
	/* Weak; NULL: all types. */
	const char *type;
	const struct itp_function_table *functions;
	/* All owned by this. */
	struct itp_unit_finder *finder;
	struct itp_unit_types *types;
	struct itp_unit_profiles *profiles;
	/* First error of the finder's calls back. */
	int failure;
};

bool itp_within_parse(const char *text, const char **ret_type, GError **error)
{
	*ret_type = NULL;
	if (!text) {
		return false;
	}
	if (g_str_has_prefix(text, ONE_TYPE) && text[strlen(ONE_TYPE)] != '\0') {
		*ret_type = text + strlen(ONE_TYPE);
		return true;
	}
	if (!g_str_equal(text, ALL)) {
		g_set_error(error, G_OPTION_ERROR, G_OPTION_ERROR_BAD_VALUE,
			    "parameter \"in\": \"%s\" is not one of unit, unit:TYPE", text);
		return false;
	}
	return true;
}

char *itp_within_options_text(const char *text, const char *inferred)
{
	const struct itp_normalize_options options = ITP_NORMALIZE_DEFAULTS;
	g_autofree char *normalized = itp_normalize_options_text(&options, inferred);

	return itp_options_text_with(normalized, "in", text);
}

void itp_within_describe(struct itp_workload *workload)
{
	workload->counts.timer_samples = 0;
	workload->counts.units = 0;
	workload->counts.commands = 0;
}

static void on_unit(const struct itp_unit *unit, void *data)
{
	struct itp_within *within = data;
	const int error = itp_unit_profiles_add_unit(within->profiles, unit,
						     itp_unit_types_add(within->types, unit));

	within->failure = within->failure != ITP_OK ? within->failure : error;
}

struct itp_within *itp_within_new(const struct itp_context_tree *tree,
				  const struct itp_function_table *functions, const char *text,
				  bool keeps_latencies)
{
	struct itp_within *within = g_new0(struct itp_within, 1);

	(void)itp_within_parse(text, &within->type, NULL);
	within->functions = functions;
	within->finder = itp_unit_finder_new(tree, functions, on_unit, within);
	within->types = itp_unit_types_new(itp_unit_finder_tree(within->finder), functions,
					   itp_unit_finder_paths(within->finder));
	within->profiles = itp_unit_profiles_new(tree, functions, keeps_latencies);
	return within;
}

void itp_within_free(struct itp_within *within)
{
	if (within) {
		itp_unit_profiles_free(within->profiles);
		itp_unit_types_free(within->types);
		itp_unit_finder_free(within->finder);
		g_free(within);
	}
}

void itp_within_add(struct itp_within *within, const struct itp_instance *call)
{
	itp_unit_profiles_add(within->profiles, call);
	itp_unit_finder_add(within->finder, call);
}

void itp_within_add_unplaced(struct itp_within *within, const struct itp_instance *call,
			     uint32_t function)
{
	itp_unit_finder_add_unplaced(within->finder, call, function);
}

void itp_within_add_stretch(struct itp_within *within, const struct itp_stretch *stretch)
{
	itp_unit_profiles_add_stretch(within->profiles, stretch);
	itp_unit_finder_add_stretch(within->finder, stretch);
}

void itp_within_watch(struct itp_within *within, bool is_watched, int64_t time_ns)
{
	itp_unit_finder_watch(within->finder, is_watched, time_ns);
}

/* Adds the profiles of the types meant; false for none. `numbers` has the numbers of the types in
 * the profile, by their places. */
static bool merge_types(const struct itp_within *within, const GArray *numbers,
			struct itp_profile *profile)
{
	const guint groups = itp_unit_types_groups(within->types);
	bool found = false;

	for (guint group = 0; group < groups; group++) {
		const guint place = itp_unit_types_of_group(within->types, group);
		const struct itp_unit_sum *sum =
			itp_unit_sums_get(profile->units, g_array_index(numbers, guint, place));

		if (!within->type || itp_unit_sum_is_meant(sum, within->type)) {
			itp_unit_profiles_merge(within->profiles, group, profile);
			found = true;
		}
	}
	return found;
}

bool itp_within_finish(struct itp_within *within, double cut, struct itp_profile *profile,
		       GError **error)
{
	g_autoptr(GArray) numbers = g_array_new(FALSE, FALSE, sizeof(guint));
	int failure;

	itp_unit_finder_finish(within->finder);
	failure = itp_unit_profiles_finish(within->profiles);
	failure = within->failure != ITP_OK ? within->failure : failure;
	if (failure != ITP_OK) {
		g_set_error(error, G_OPTION_ERROR, G_OPTION_ERROR_FAILED, "%s: %s",
			    profile->workload.name, itp_error_text(failure));
		return false;
	}
	itp_unit_types_sum(within->types, within->functions, cut, profile->units, numbers);
	profile->workload.complete &= itp_unit_profiles_left_out(within->profiles) == 0;
	if (!merge_types(within, numbers, profile)) {
		itp_unit_sums_refuse(profile->units, "in", profile->workload.name, within->type,
				     error);
		return false;
	}
	return true;
}
