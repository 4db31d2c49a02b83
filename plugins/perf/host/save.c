/* SPDX-License-Identifier: MIT */
/*
 * See save.h.
 */
#include "plugins/perf/host/save.h"

#include <errno.h>
#include <sys/stat.h>

#include <glib/gstdio.h>

#include "plugins/babeltrace/failure.h"

/* Of directories, before the umask, which is not asked for what mkdtemp() makes. */
#define DIRECTORY_MODE 0777

struct itp_save {
	/* Owned by this. */
	char *path;
	/* Beside it; NULL when there is nothing to remove. */
	char *temporary;
};

static void fail(const char *path, int code, GError **error)
{
	itp_failure_set(error, "%s: the profile cannot be saved: %s", path, g_strerror(code));
}

struct itp_save *itp_save_new(const char *path, GError **error)
{
	g_autofree char *temporary = g_strconcat(path, ".XXXXXX", NULL);
	struct itp_save *save;

	if (g_file_test(path, G_FILE_TEST_EXISTS)) {
		fail(path, EEXIST, error);
		return NULL;
	}
	if (!g_mkdtemp_full(temporary, DIRECTORY_MODE)) {
		fail(path, errno, error);
		return NULL;
	}
	save = g_new0(struct itp_save, 1);
	save->path = g_strdup(path);
	save->temporary = g_steal_pointer(&temporary);
	return save;
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
	if (save->temporary) {
		remove_tree(save->temporary);
	}
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
		bt_value_map_insert_string_entry(params, "path", save->temporary);
		bt_value_map_insert_bool_entry(params, "quiet", BT_TRUE);
		sink = itp_graph_add_sink(graph, class, "save", params, NULL, error);
		bt_value_put_ref(params);
	}
	return sink;
}

void itp_save_fail(const struct itp_save *save, GError **error)
{
	itp_failure_set(error,
			"%s: the profile cannot be saved: Babeltrace could not write it; is the "
			"disk full?",
			save->path);
}

bool itp_save_finish(struct itp_save *save, GError **error)
{
	if (g_rename(save->temporary, save->path) != 0) {
		fail(save->path, errno, error);
		return false;
	}
	g_clear_pointer(&save->temporary, g_free);
	return true;
}
