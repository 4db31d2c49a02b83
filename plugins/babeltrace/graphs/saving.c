/* SPDX-License-Identifier: MIT */
/*
 * See saving.h. A profile is complete when its path exists: until then it is written beside, and
 * removed after a failure.
 */
#include "plugins/babeltrace/graphs/saving.h"

#include <errno.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <glib/gstdio.h>

#include "common/base/failure.h"
#include "common/engine/place.h"
#include "plugins/babeltrace/graphs/traces.h"

#define REFUSAL "the profile cannot be saved"
/* Before the umask. */
#define DIRECTORY_MODE 0777

struct itp_saving {
	/* Owned by this. */
	struct itp_graph graph;
	struct itp_profiles_input input;
	/* Source of the profiles. Weak. */
	const bt_component_filter *profiles;
	/* Destination, all owned by this: the name beside the place, and a path to it. */
	char *path;
	struct itp_place place;
	char *temporary;
	char *temporary_path;
	/* Something was written, and is to be removed. */
	bool is_begun;
};

static bool refuse(const char *path, int code, GError **error)
{
	itp_failure_set(error, "%s: " REFUSAL ": %s", path, g_strerror(code));
	return false;
}

static bool check(const struct itp_saving *saving, const GPtrArray *inputs, GError **error)
{
	const struct itp_place *place = &saving->place;

	if (place->exists) {
		return refuse(saving->path, EEXIST, error);
	}
	if (faccessat(place->directory, ".", W_OK, AT_EACCESS) != 0) {
		return refuse(saving->path, errno, error);
	}
	return itp_place_check_inputs(place, saving->path, inputs, error);
}

/* `path` must not exist, nor lie in any of `inputs`. */
static bool find_place(struct itp_saving *saving, const char *path, const GPtrArray *inputs,
		       GError **error)
{
	saving->path = g_strdup(path);
	if (!itp_place_find(&saving->place, path, REFUSAL, error) ||
	    !check(saving, inputs, error)) {
		return false;
	}
	saving->temporary = g_strdup_printf("%s.%08x", saving->place.name, g_random_int());
	saving->temporary_path = itp_place_path(&saving->place, saving->temporary);
	return true;
}

/* Behind `ends` (const bt_component_filter *). */
static bool add_profiles(struct itp_saving *saving, const GPtrArray *ends, GError **error)
{
	bt_component_class_filter *class = itp_profiles_filter_class_new();
	bool done;

	saving->input.upstream_count = ends->len;
	saving->profiles = itp_graph_add_filter(&saving->graph, class, "profiles", NULL,
						&saving->input, error);
	bt_component_class_filter_put_ref(class);
	done = saving->profiles != NULL;
	for (guint i = 0; done && i < ends->len; i++) {
		done = itp_graph_connect(
			&saving->graph,
			bt_component_filter_borrow_output_port_by_index_const(
				g_ptr_array_index(ends, i), 0),
			bt_component_filter_borrow_input_port_by_index_const(saving->profiles, i),
			error);
	}
	return done;
}

static bool build(struct itp_saving *saving, const char *path, const struct itp_inputs *inputs,
		  GHashTable *const *values, GError **error)
{
	g_autoptr(GPtrArray) ends = g_ptr_array_new();

	return itp_graph_init(&saving->graph, error) &&
	       find_place(saving, path, inputs->paths, error) &&
	       itp_graph_ctf_sink(&saving->graph, error) &&
	       itp_traces_add(&saving->graph, inputs->traces, values, ends, error) &&
	       add_profiles(saving, ends, error);
}

struct itp_saving *itp_saving_new(const char *path, const struct itp_inputs *inputs,
				  GHashTable *const *values, GError **error)
{
	struct itp_saving *saving = g_new0(struct itp_saving, 1);

	saving->place.directory = -1;
	if (!build(saving, path, inputs, values, error)) {
		g_clear_pointer(&saving, itp_saving_free);
	}
	return saving;
}

/* Errors leave files that cannot be removed. */
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

/* Removes a half saved profile. To be called after the graph is freed. */
static void remove_temporary(struct itp_saving *saving)
{
	if (saving->is_begun) {
		remove_tree(saving->temporary_path);
	}
	saving->is_begun = false;
}

void itp_saving_free(struct itp_saving *saving)
{
	if (!saving) {
		return;
	}
	itp_graph_release(&saving->graph);
	remove_temporary(saving);
	itp_place_release(&saving->place);
	g_free(saving->temporary_path);
	g_free(saving->temporary);
	g_free(saving->path);
	g_free(saving);
}

/* sink.ctf.fs. Weak; NULL after an error. */
static const bt_component_sink *sink_new(struct itp_saving *saving, GError **error)
{
	const bt_component_class_sink *class = itp_graph_ctf_sink(&saving->graph, error);
	const bt_component_sink *sink = NULL;

	if (class) {
		g_autoptr(GHashTable) values = itp_values_new();

		itp_values_set_text(values, "path", saving->temporary_path);
		itp_values_set_bool(values, "quiet", true);
		/* Babeltrace 2.0, which can read no other, knows no such parameter. */
		if (bt_version_get_minor() >= 1) {
			itp_values_set_text(values, "ctf-version", "1");
		}
		sink = itp_graph_add_sink(&saving->graph, class, "save", values, NULL, error);
	}
	return sink;
}

/* The sink makes its directory at once, so it comes when there is something to save. */
static bool add_sink(struct itp_saving *saving, GError **error)
{
	const bt_component_sink *sink = NULL;

	saving->is_begun = mkdirat(saving->place.directory, saving->temporary, DIRECTORY_MODE) == 0;
	if (!saving->is_begun) {
		return refuse(saving->path, errno, error);
	}
	sink = sink_new(saving, error);
	return sink &&
	       itp_graph_connect(
		       &saving->graph,
		       bt_component_filter_borrow_output_port_by_index_const(saving->profiles, 0),
		       bt_component_sink_borrow_input_port_by_index_const(sink, 0), error);
}

static void fail(struct itp_saving *saving, GError **error)
{
	if (!itp_graph_take_run_error(&saving->graph, error)) {
		g_clear_error(error);
		itp_failure_set(error,
				"%s: " REFUSAL ": Babeltrace could not write it; is the "
				"disk full?",
				saving->path);
	}
	/* When the disk is full, sink.ctf.fs of Babeltrace 2.0 is left with freed memory, which
	 * must not be freed again. */
	saving->graph.graph = NULL;
}

/* Makes the sink write its buffers. False when the graph did not reach its end. */
static bool run_graph(struct itp_saving *saving, struct itp_interrupt *interrupt, GError **error)
{
	const bt_graph_run_status status = itp_graph_run(&saving->graph, interrupt);

	if (status != BT_GRAPH_RUN_STATUS_OK && status != BT_GRAPH_RUN_STATUS_AGAIN) {
		fail(saving, error);
	} else if (status == BT_GRAPH_RUN_STATUS_AGAIN) {
		/* A packet cannot be left open either; the process is to end anyway. */
		saving->graph.graph = NULL;
	}
	itp_graph_release(&saving->graph);
	return status == BT_GRAPH_RUN_STATUS_OK;
}

/* Puts the saved profile in its place. */
static bool finish(struct itp_saving *saving, GError **error)
{
	const struct itp_place *place = &saving->place;

	if (renameat(place->directory, saving->temporary, place->directory, place->name) != 0) {
		return refuse(saving->path, errno, error);
	}
	saving->is_begun = false;
	return true;
}

bool itp_saving_run(struct itp_saving *saving, const GArray *profiles,
		    struct itp_interrupt *interrupt, GError **error)
{
	bool done;

	saving->input.profiles = profiles;
	/* A half saved profile is removed, also when somebody wants the process to end. */
	itp_interrupt_hold_end(interrupt);
	done = add_sink(saving, error) && run_graph(saving, interrupt, error) &&
	       finish(saving, error);
	remove_temporary(saving);
	itp_interrupt_let_end(interrupt);
	return done;
}
