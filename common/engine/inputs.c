/* SPDX-License-Identifier: MIT */
/*
 * See inputs.h.
 */
#include "common/engine/inputs.h"

#include "common/perf-data/reader.h"
#include "common/profile-file/profile-file.h"

/* File of a directory that makes it a trace in CTF. */
#define TRACE_METADATA "metadata"
/* A profile saved by a graph is a directory of traces, and may lie in another. */
#define MAX_DEPTH 8

void itp_inputs_init(struct itp_inputs *inputs)
{
	inputs->paths = g_ptr_array_new_with_free_func(g_free);
	inputs->recordings = g_ptr_array_new_with_free_func(g_free);
	inputs->profiles = g_ptr_array_new_with_free_func(g_free);
	inputs->traces = g_ptr_array_new_with_free_func((GDestroyNotify)g_ptr_array_unref);
}

void itp_inputs_release(struct itp_inputs *inputs)
{
	g_clear_pointer(&inputs->paths, g_ptr_array_unref);
	g_clear_pointer(&inputs->recordings, g_ptr_array_unref);
	g_clear_pointer(&inputs->profiles, g_ptr_array_unref);
	g_clear_pointer(&inputs->traces, g_ptr_array_unref);
}

static gint compare_names(gconstpointer left, gconstpointer right)
{
	return g_strcmp0(*(const char *const *)left, *(const char *const *)right);
}

/* In the order of their names, as directories have no order of their own. NULL after an error. */
static GPtrArray *list_names(const char *path, GError **error)
{
	g_autoptr(GDir) directory = g_dir_open(path, 0, error);
	GPtrArray *names;
	const char *name;

	if (!directory) {
		return NULL;
	}
	names = g_ptr_array_new_with_free_func(g_free);
	while ((name = g_dir_read_name(directory))) {
		g_ptr_array_add(names, g_strdup(name));
	}
	g_ptr_array_sort(names, compare_names);
	return names;
}

static bool add_traces(GPtrArray *traces, const char *path, unsigned int depth, GError **error)
{
	g_autofree char *metadata = g_build_filename(path, TRACE_METADATA, NULL);
	g_autoptr(GPtrArray) names = NULL;

	if (g_file_test(metadata, G_FILE_TEST_IS_REGULAR)) {
		g_ptr_array_add(traces, g_strdup(path));
		return true;
	}
	names = list_names(path, error);
	for (guint i = 0; names && i < names->len; i++) {
		g_autofree char *below = g_build_filename(path, g_ptr_array_index(names, i), NULL);

		if (depth < MAX_DEPTH && g_file_test(below, G_FILE_TEST_IS_DIR) &&
		    !add_traces(traces, below, depth + 1, error)) {
			return false;
		}
	}
	return names != NULL;
}

bool itp_inputs_add(struct itp_inputs *inputs, const char *path, GError **error)
{
	g_autoptr(GPtrArray) traces = NULL;

	if (path[0] == '\0') {
		g_set_error(error, G_FILE_ERROR, G_FILE_ERROR_NOENT,
			    "\"\" is no file: an argument is empty");
		return false;
	}
	g_ptr_array_add(inputs->paths, g_strdup(path));
	if (itp_profile_file_probe(path)) {
		g_ptr_array_add(inputs->profiles, g_strdup(path));
		return true;
	}
	if (!g_file_test(path, G_FILE_TEST_IS_DIR) || itp_perf_reader_probe(path)) {
		g_ptr_array_add(inputs->recordings, g_strdup(path));
		return true;
	}
	traces = g_ptr_array_new_with_free_func(g_free);
	if (!add_traces(traces, path, 0, error)) {
		return false;
	}
	if (traces->len == 0) {
		g_set_error(error, G_FILE_ERROR, G_FILE_ERROR_INVAL,
			    "%s: a directory without a recording of perf or a saved profile", path);
		return false;
	}
	g_ptr_array_add(inputs->traces, g_steal_pointer(&traces));
	return true;
}

bool itp_inputs_read_profiles(const struct itp_inputs *inputs, struct itp_workload_set *set,
			      GError **error)
{
	bool done = true;

	for (guint i = 0; done && i < inputs->profiles->len; i++) {
		done = itp_profile_file_read(g_ptr_array_index(inputs->profiles, i), set, error);
	}
	return done;
}
