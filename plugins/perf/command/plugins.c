/* SPDX-License-Identifier: MIT */
/*
 * See plugins.h.
 */
#include "plugins/perf/command/plugins.h"

#define PLUGIN_FILE ITP_PLUGIN_DIR "/babeltrace-plugin-introperf.so"

/* The plugin in a file, NULL when it cannot be loaded. */
static const bt_plugin *load_file(const char *path)
{
	const bt_plugin_set *set = NULL;
	const bt_plugin *plugin = NULL;

	if (bt_plugin_find_all_from_file(path, BT_FALSE, &set) ==
	    BT_PLUGIN_FIND_ALL_FROM_FILE_STATUS_OK) {
		plugin = bt_plugin_set_borrow_plugin_by_index_const(set, 0);
		bt_plugin_get_ref(plugin);
	}
	bt_plugin_set_put_ref(set);
	bt_current_thread_clear_error();
	return plugin;
}

/* One of Babeltrace's own, or in $BABELTRACE_PLUGIN_PATH; NULL when there is none. */
static const bt_plugin *find(const char *name, bool is_everywhere)
{
	const bt_plugin *plugin = NULL;

	if (bt_plugin_find(name, BT_TRUE, is_everywhere, is_everywhere, is_everywhere, BT_FALSE,
			   &plugin) != BT_PLUGIN_FIND_STATUS_OK) {
		plugin = NULL;
	}
	bt_current_thread_clear_error();
	return plugin;
}

static bool find_ours(struct itp_plugins *plugins, GError **error)
{
	plugins->introperf = find("introperf", false);
	if (!plugins->introperf && g_file_test(PLUGIN_FILE, G_FILE_TEST_EXISTS)) {
		plugins->introperf = load_file(PLUGIN_FILE);
	}
	if (!plugins->introperf) {
		plugins->introperf = find("introperf", true);
	}
	if (!plugins->introperf) {
		g_set_error(error, G_FILE_ERROR, G_FILE_ERROR_NOENT,
			    "%s: the Babeltrace plugin is not there or cannot be loaded; install "
			    "it, or name its directory in BABELTRACE_PLUGIN_PATH",
			    PLUGIN_FILE);
	}
	return plugins->introperf;
}

static bool find_theirs(struct itp_plugins *plugins, GError **error)
{
	plugins->utils = find("utils", true);
	plugins->ctf = find("ctf", true);
	if (!plugins->utils || !plugins->ctf) {
		g_set_error(error, G_FILE_ERROR, G_FILE_ERROR_NOENT,
			    "Babeltrace's own plugins \"utils\" and \"ctf\" are not installed "
			    "(package babeltrace2 has them)");
	}
	return plugins->utils && plugins->ctf;
}

static bool borrow_classes(struct itp_plugins *plugins, GError **error)
{
	const bt_plugin *ours = plugins->introperf;

	plugins->perf_source = bt_plugin_borrow_source_component_class_by_name_const(ours, "perf");
	plugins->infer = bt_plugin_borrow_filter_component_class_by_name_const(ours, "infer");
	plugins->normalize =
		bt_plugin_borrow_filter_component_class_by_name_const(ours, "normalize");
	plugins->rank = bt_plugin_borrow_sink_component_class_by_name_const(ours, "rank");
	plugins->ctf_source =
		bt_plugin_borrow_source_component_class_by_name_const(plugins->ctf, "fs");
	plugins->muxer =
		bt_plugin_borrow_filter_component_class_by_name_const(plugins->utils, "muxer");
	if (!plugins->perf_source || !plugins->infer || !plugins->normalize || !plugins->rank ||
	    !plugins->ctf_source || !plugins->muxer) {
		g_set_error(error, G_FILE_ERROR, G_FILE_ERROR_INVAL,
			    "%s: another version of the Babeltrace plugin, without all that is "
			    "needed",
			    bt_plugin_get_path(ours));
		return false;
	}
	return true;
}

bool itp_plugins_init(struct itp_plugins *plugins, GError **error)
{
	return find_ours(plugins, error) && find_theirs(plugins, error) &&
	       borrow_classes(plugins, error);
}

void itp_plugins_release(struct itp_plugins *plugins)
{
	BT_PLUGIN_PUT_REF_AND_RESET(plugins->introperf);
	BT_PLUGIN_PUT_REF_AND_RESET(plugins->utils);
	BT_PLUGIN_PUT_REF_AND_RESET(plugins->ctf);
}
