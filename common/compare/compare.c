/* SPDX-License-Identifier: MIT */
/*
 * See compare.h. A name of the base is tried as the path as given, then as a file or a directory
 * above an input, and only then as the last component of a path, a directory on the way to a saved
 * profile, or the name of a workload: "perf.data" beside "old/perf.data" is not ambiguous.
 */
#include "common/compare/compare.h"

#include <stdlib.h>
#include <string.h>

#include "common/compare/countable.h"
#include "common/compare/unit-work.h"

#define PERCENT_MOST 100

/* Runs of a side. */
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
	{ "run", ITP_PER_RUN, false },     { "second", ITP_PER_SECOND, false },
	{ "event:", ITP_PER_EVENT, true }, { "call:", ITP_PER_CALL, true },
	{ "unit", ITP_PER_UNIT, false },   { "unit:", ITP_PER_UNIT, true },
};

typedef bool (*match_func)(const struct itp_set_workload *workload, const char *name);

/* ---- Sides ---- */

static bool is_given_path(const struct itp_set_workload *workload, const char *name)
{
	return g_strcmp0(workload->input_path, name) == 0 && workload->file_paths->len == 0;
}

/* True if `path`, absolute, is `above` or lies below it. */
static bool is_below(const char *path, const char *above)
{
	size_t length = strlen(above);

	return g_str_has_prefix(path, above) &&
	       (path[length] == '\0' || path[length] == '/' || above[length - 1] == '/');
}

static bool is_same_place(const struct itp_set_workload *workload, const char *name)
{
	char *place = realpath(name, NULL);
	char *input = workload->input_path ? realpath(workload->input_path, NULL) : NULL;
	bool found = false;

	if (place && workload->file_paths->len == 0) {
		found = g_strcmp0(place, input) == 0;
	}
	for (guint i = 0; place && !found && i < workload->file_paths->len; i++) {
		found = is_below(g_ptr_array_index(workload->file_paths, i), place);
	}
	free(place);
	free(input);
	return found;
}

static bool has_component(const char *path, const char *name)
{
	g_auto(GStrv) components = g_strsplit(path, "/", -1);

	return g_strv_contains((const char *const *)components, name);
}

static bool is_called(const struct itp_set_workload *workload, const char *name)
{
	g_autofree char *last = NULL;

	if (g_strcmp0(workload->profile->workload.name, name) == 0) {
		return true;
	}
	for (guint i = 0; i < workload->file_paths->len; i++) {
		if (has_component(g_ptr_array_index(workload->file_paths, i), name)) {
			return true;
		}
	}
	last = workload->input_path ? g_path_get_basename(workload->input_path) : NULL;
	return g_strcmp0(last, name) == 0;
}

/* The inputs as a list for a person. */
static char *list_inputs(const GPtrArray *workloads)
{
	GString *list = g_string_new(NULL);

	for (guint i = 0; i < workloads->len; i++) {
		const struct itp_set_workload *workload = g_ptr_array_index(workloads, i);
		const char *name = workload->profile->workload.name;

		g_string_append_printf(list, "%s\"%s\"", i == 0 ? "" : ", ", name);
		if (workload->file_paths->len > 0) {
			g_string_append_printf(list, " (%s)",
					       (char *)g_ptr_array_index(workload->file_paths, 0));
		} else if (workload->input_path && strcmp(workload->input_path, name) != 0) {
			g_string_append_printf(list, " (%s)", workload->input_path);
		}
	}
	return g_string_free(list, FALSE);
}

/* Adds the workloads named `name` to `ret_base`, by the first way that finds any. */
static bool find_named(const GPtrArray *workloads, const char *name, GHashTable *ret_base)
{
	static const match_func ways[] = { is_given_path, is_same_place, is_called };
	bool found = false;

	for (size_t way = 0; way < G_N_ELEMENTS(ways) && !found; way++) {
		for (guint i = 0; i < workloads->len; i++) {
			void *workload = g_ptr_array_index(workloads, i);

			if (ways[way](workload, name)) {
				g_hash_table_add(ret_base, workload);
				found = true;
			}
		}
	}
	return found;
}

bool itp_base_find(const GPtrArray *workloads, const GPtrArray *names, GHashTable *ret_base,
		   GError **error)
{
	g_autofree char *inputs = list_inputs(workloads);

	for (guint i = 0; names && i < names->len; i++) {
		const char *name = g_ptr_array_index(names, i);

		if (!find_named(workloads, name, ret_base)) {
			g_set_error(error, G_OPTION_ERROR, G_OPTION_ERROR_BAD_VALUE,
				    "parameter \"base\": \"%s\" names none of the inputs: %s", name,
				    inputs);
			return false;
		}
	}
	if (names && g_hash_table_size(ret_base) == workloads->len) {
		g_set_error(error, G_OPTION_ERROR, G_OPTION_ERROR_BAD_VALUE,
			    "parameter \"base\": names all inputs, so nothing is left to compare "
			    "with it: %s",
			    inputs);
		return false;
	}
	if (!names && workloads->len > 1) {
		g_set_error(error, G_OPTION_ERROR, G_OPTION_ERROR_BAD_VALUE,
			    "several inputs, of which parameter \"base\" must name those that "
			    "behave: %s",
			    inputs);
		return false;
	}
	return true;
}

/* Divides `workloads` by `names` (char *, NULL = no base). An error lists the inputs. */
static bool divide(struct itp_sides *sides, const struct itp_workload_set *workloads,
		   const GPtrArray *names, GError **error)
{
	g_autoptr(GPtrArray) list = itp_workload_set_list(workloads);
	g_autoptr(GHashTable) base = g_hash_table_new(NULL, NULL);

	g_clear_pointer(&sides->suspects, g_ptr_array_unref);
	g_clear_pointer(&sides->bases, g_ptr_array_unref);
	if (!itp_base_find(list, names, base, error)) {
		return false;
	}
	sides->bases = g_ptr_array_new();
	sides->suspects = g_ptr_array_new();
	for (guint i = 0; i < list->len; i++) {
		void *workload = g_ptr_array_index(list, i);

		g_ptr_array_add(g_hash_table_contains(base, workload) ? sides->bases :
									sides->suspects,
				workload);
	}
	return true;
}

bool itp_sides_init(struct itp_sides *sides, const struct itp_workload_set *workloads,
		    const struct itp_set_workload *period, const struct itp_view_options *options,
		    const GPtrArray *base, GError **error)
{
	*sides = (struct itp_sides){ .workloads = NULL };
	if (!divide(sides, workloads, base, error)) {
		return false;
	}
	sides->workloads = itp_workload_set_view(workloads, period, sides->bases, options, error);
	if (!sides->workloads || !divide(sides, sides->workloads, base, error)) {
		return false;
	}
	for (guint i = sides->suspects->len; period && i-- > 0;) {
		const struct itp_set_workload *suspect = g_ptr_array_index(sides->suspects, i);

		if (!suspect->is_period) {
			g_ptr_array_remove_index(sides->suspects, i);
		}
	}
	return true;
}

void itp_sides_release(struct itp_sides *sides)
{
	itp_workload_set_free(sides->workloads);
	g_clear_pointer(&sides->suspects, g_ptr_array_unref);
	g_clear_pointer(&sides->bases, g_ptr_array_unref);
}

/* ---- Parameters ---- */

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
		    "call:FUNCTION, unit, unit:TYPE",
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

/* ---- Both sides by their work ---- */

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

/* Measure of work. */
struct work {
	const struct itp_per_unit *per;
	/* Set if work is counted by units. */
	struct itp_unit_work units;
};

static double units_of(const struct work *work, const struct itp_workload_set *workloads,
		       const struct itp_profile *profile)
{
	if (work->per->per == ITP_PER_UNIT) {
		return (double)itp_unit_work_count(&work->units, profile);
	}
	return itp_work_units(profile, itp_workload_set_functions(workloads),
			      itp_workload_set_tree(workloads), work->per->per, work->per->name);
}

/* Unit as users are told; NULL if work is not counted by units. */
static char *unit_text(const struct work *work)
{
	const struct itp_unit_work *chosen = &work->units;

	if (work->per->per != ITP_PER_UNIT) {
		return NULL;
	}
	if (chosen->type[0] != '\0') {
		return g_strdup(chosen->type);
	}
	return chosen->loop ? g_strdup_printf("%s in %s", chosen->loop, chosen->process) :
			      g_strdup_printf("%s's %s", chosen->process, chosen->wait);
}

/* There is nothing to divide by. */
static void refuse_nothing(const struct itp_profile *profile, const struct itp_per_unit *per,
			   const struct itp_workload_set *workloads, GError **error)
{
	const char *workload = profile->workload.name;
	g_autofree char *others = itp_countable_list(profile, itp_workload_set_functions(workloads),
						     itp_workload_set_tree(workloads));

	if (per->per == ITP_PER_SECOND) {
		g_set_error(error, G_OPTION_ERROR, G_OPTION_ERROR_BAD_VALUE,
			    "parameter \"per\": \"%s\" has nothing of a second", workload);
	} else {
		g_set_error(error, G_OPTION_ERROR, G_OPTION_ERROR_BAD_VALUE,
			    "parameter \"per\": \"%s\" has nothing of %s to divide its times "
			    "by%s%s",
			    workload, per->name, others[0] != '\0' ? "; there are " : "", others);
	}
}

static bool side_init(struct side *side, const struct work *work,
		      const struct itp_workload_set *workloads, const GPtrArray *list,
		      GError **error)
{
	const struct itp_per_unit *per = work->per;

	side->profiles = g_new0(const struct itp_profile *, list->len + 1);
	side->units = g_new0(double, list->len + 1);
	side->runs = (struct itp_runs){ .profiles = side->profiles,
					.count = list->len,
					.units = side->units };
	for (guint i = 0; i < list->len; i++) {
		const struct itp_set_workload *workload = g_ptr_array_index(list, i);

		side->profiles[i] = workload->profile;
		side->units[i] = units_of(work, workloads, workload->profile);
		if (side->units[i] == ITP_WORK_UNKNOWN) {
			refuse_unknown(workload->profile->workload.name, per, error);
			return false;
		}
		if (side->units[i] <= 0) {
			refuse_nothing(workload->profile, per, workloads, error);
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

/* Makes both sides, to be released also after an error. */
static bool sides_init(struct side *suspect, struct side *base, struct work *work,
		       const struct itp_workload_set *workloads, const GPtrArray *suspects,
		       const GPtrArray *bases, GError **error)
{
	g_autoptr(GPtrArray) all = g_ptr_array_copy((GPtrArray *)suspects, NULL, NULL);

	*suspect = (struct side){ .units = NULL };
	*base = (struct side){ .units = NULL };
	for (guint i = 0; i < bases->len; i++) {
		g_ptr_array_add(all, g_ptr_array_index(bases, i));
	}
	return (work->per->per != ITP_PER_UNIT ||
		itp_unit_work_init(&work->units, work->per->name, all, error)) &&
	       side_init(suspect, work, workloads, suspects, error) &&
	       side_init(base, work, workloads, bases, error);
}

/* False, with an error, if the ranking needs calls and the recording has CPU time only
 * (infer/kept.h). */
static bool check_watched(const struct itp_ranking_options *options, const struct itp_runs *suspect,
			  GError **error)
{
	const struct itp_workload *workload = &suspect->profiles[0]->workload;
	const bool is_paper = options->method == ITP_METHOD_PAPER;
	const bool by_wait = options->by == ITP_RANK_BY_WAIT;
	const bool by_calls = options->metric == ITP_METRIC_COUNT ||
			      options->metric == ITP_METRIC_EACH;

	if (itp_workload_has_latencies(workload) || !(is_paper || by_wait || by_calls)) {
		return true;
	}
	g_set_error(error, G_OPTION_ERROR, G_OPTION_ERROR_BAD_VALUE,
		    "parameter \"%s\": \"%s\" needs calls and their latencies, and what was "
		    "recorded tells only CPU time; record with perf introperf record",
		    by_wait  ? "by" :
		    is_paper ? "method" :
			       "metric",
		    by_wait  ? itp_rank_by_names[options->by] :
		    is_paper ? itp_method_names[options->method] :
			       itp_metric_names[options->metric]);
	return false;
}

static struct itp_ranking *compare_per(const struct itp_ranking_options *options,
				       const struct itp_per_unit *per,
				       const struct itp_workload_set *workloads,
				       const GPtrArray *suspects, const GPtrArray *bases,
				       GError **error)
{
	struct work work = { .per = per };
	struct side suspect;
	struct side base;
	struct itp_ranking *ranking = NULL;

	if (sides_init(&suspect, &base, &work, workloads, suspects, bases, error) &&
	    check_watched(options, &suspect.runs, error)) {
		ranking = itp_ranking_new(options, itp_workload_set_functions(workloads),
					  itp_workload_set_tree(workloads), &suspect.runs,
					  bases->len > 0 ? &base.runs : NULL);
		ranking->pairs = itp_workload_set_pairs(workloads);
		ranking->renamings = itp_workload_set_renamings(workloads);
		ranking->unit = unit_text(&work);
	}
	side_release(&suspect);
	side_release(&base);
	return ranking;
}

/* Function or system call whose calls may count work that is doubted, as the parameter `per`. NULL
 * for none. Owned by the caller. */
static char *calls_of_work(const struct itp_ranking *ranking)
{
	const struct itp_function *function =
		itp_function_table_get(ranking->functions, ranking->amount_function);
	const char *syscall = itp_function_syscall(function);

	if (ranking->amount_function == ITP_FUNCTION_UNKNOWN) {
		return NULL;
	}
	return syscall ? g_strconcat("event:", syscall, NULL) :
			 g_strconcat("call:", function->name, NULL);
}

/* Ranks the same once more, divided by the work of both, if their amounts are doubted: by units if
 * there are any, else by calls. */
static void add_by_work(struct itp_ranking *ranking, const struct itp_workload_set *workloads,
			const GPtrArray *suspects, const GPtrArray *bases)
{
	const bool is_doubted = ranking->doubts & (ITP_DOUBT_AMOUNT | ITP_DOUBT_LENGTH);
	g_autofree char *calls = calls_of_work(ranking);
	const char *const works[] = { "unit", calls };
	struct itp_ranking_options options = ranking->options;
	struct itp_per_unit per;

	for (size_t i = 0; is_doubted && !ranking->by_work && i < G_N_ELEMENTS(works); i++) {
		if (works[i] && itp_per_parse(works[i], &per, NULL)) {
			ranking->work = g_strdup(works[i]);
			options.per = ranking->work;
			ranking->by_work =
				compare_per(&options, &per, workloads, suspects, bases, NULL);
		}
		if (!ranking->by_work) {
			g_clear_pointer(&ranking->work, g_free);
		}
	}
}

struct itp_ranking *itp_compare(const struct itp_ranking_options *options,
				const struct itp_per_unit *per,
				const struct itp_workload_set *workloads, const GPtrArray *suspects,
				const GPtrArray *bases, GError **error)
{
	struct itp_ranking *ranking = compare_per(options, per, workloads, suspects, bases, error);

	if (ranking) {
		add_by_work(ranking, workloads, suspects, bases);
	}
	return ranking;
}

bool itp_compare_merge(const struct itp_per_unit *per, const struct itp_workload_set *workloads,
		       const GPtrArray *suspects, const GPtrArray *bases,
		       struct itp_profile **ret_suspect, struct itp_profile **ret_base,
		       GError **error)
{
	struct work work = { .per = per };
	struct side suspect;
	struct side base;
	bool done = sides_init(&suspect, &base, &work, workloads, suspects, bases, error);

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
