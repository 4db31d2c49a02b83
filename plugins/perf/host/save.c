/* SPDX-License-Identifier: MIT */
/*
 * See save.h.
 */
#include "plugins/perf/host/save.h"

#include <errno.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <glib/gstdio.h>

#include "messages/failure.h"
#include "sinks/profiles/place.h"

#define REFUSAL "the profile cannot be saved"
/* Before the umask. */
#define DIRECTORY_MODE 0777

struct itp_save {
	/* Owned by this. */
	char *path;
	struct itp_place place;
	/* The name beside it, and a path to that. */
	char *temporary;
	char *temporary_path;
	/* There is something to remove. */
	bool is_begun;
};

static bool fail(const char *path, int code, GError **error)
{
	itp_failure_set(error, "%s: " REFUSAL ": %s", path, g_strerror(code));
	return false;
}

static bool check(const struct itp_save *save, const GPtrArray *inputs, GError **error)
{
	const struct itp_place *place = &save->place;

	if (place->exists) {
		return fail(save->path, EEXIST, error);
	}
	if (faccessat(place->directory, ".", W_OK, AT_EACCESS) != 0) {
		return fail(save->path, errno, error);
	}
	return itp_place_check_inputs(place, save->path, inputs, error);
}

struct itp_save *itp_save_new(const char *path, const GPtrArray *inputs, GError **error)
{
	struct itp_save *save = g_new0(struct itp_save, 1);

	save->path = g_strdup(path);
	if (!itp_place_find(&save->place, path, REFUSAL, error) || !check(save, inputs, error)) {
		g_clear_pointer(&save, itp_save_free);
		return NULL;
	}
	save->temporary = g_strdup_printf("%s.%08x", save->place.name, g_random_int());
	save->temporary_path = itp_place_path(&save->place, save->temporary);
	return save;
}

bool itp_save_begin(struct itp_save *save, GError **error)
{
	save->is_begun = mkdirat(save->place.directory, save->temporary, DIRECTORY_MODE) == 0;
	return save->is_begun || fail(save->path, errno, error);
}

/* Errors leave what cannot be removed. */
static void remove_tree(const char *path)
{
	GDir *directory = g_dir_open(path, 0, NULL);
	const char *name;

	while (directory && (name = g_dir_read_name(directory))) {
		g_autofree char *below = g_build_filename(path, name, NULL);

		remove_tree(below);
	}
	if (directory) {
		g_dir_close(directory);
	}
	g_remove(path);
}

void itp_save_free(struct itp_save *save)
{
	if (!save) {
		return;
	}
	if (save->is_begun) {
		remove_tree(save->temporary_path);
	}
	itp_place_release(&save->place);
	g_free(save->temporary_path);
	g_free(save->temporary);
	g_free(save->path);
	g_free(save);
}

const bt_component_sink *itp_save_add_sink(const struct itp_save *save, struct itp_graph *graph,
					   GError **error)
{
	const bt_component_class_sink *class = itp_graph_ctf_sink(graph, error);
	const bt_component_sink *sink = NULL;
	bt_value *params;

	if (class) {
		params = bt_value_map_create();
		bt_value_map_insert_string_entry(params, "path", save->temporary_path);
		bt_value_map_insert_bool_entry(params, "quiet", BT_TRUE);
		sink = itp_graph_add_sink(graph, class, "save", params, NULL, error);
		bt_value_put_ref(params);
	}
	return sink;
}

void itp_save_fail(const struct itp_save *save, GError **error)
{
	itp_failure_set(error,
			"%s: " REFUSAL ": Babeltrace could not write it; is the "
			"disk full?",
			save->path);
}

bool itp_save_finish(struct itp_save *save, GError **error)
{
	const struct itp_place *place = &save->place;

	if (renameat(place->directory, save->temporary, place->directory, place->name) != 0) {
		return fail(save->path, errno, error);
	}
	save->is_begun = false;
	return true;
}
