/* SPDX-License-Identifier: MIT */
/*
 * See sides.h. A name of the base is tried as the path as given, then as a file or a directory
 * above an input, and only then as the last component of a path, a directory on the way to a saved
 * profile, or the name of a workload: "perf.data" beside "old/perf.data" is not ambiguous.
 */
#include "common/compare/sides.h"

#include <stdlib.h>
#include <string.h>

typedef bool (*match_func)(const struct itp_set_workload *workload, const char *name);

static bool is_given_path(const struct itp_set_workload *workload, const char *name)
{
	return g_strcmp0(workload->input_path, name) == 0 && workload->file_paths->len == 0;
}

/* Whether `path`, absolute, is `above` or lies below it. */
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

/* Adds the workloads that `name` names, by the first way that finds any, to `ret_base`. */
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

static bool find_base(const GPtrArray *workloads, const GPtrArray *names, GHashTable *ret_base,
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
	if (!find_base(list, names, base, error)) {
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
