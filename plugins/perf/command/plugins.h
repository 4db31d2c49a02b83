/* SPDX-License-Identifier: MIT */
/*
 * The component classes of the graph, and where they are found: ours in $BABELTRACE_PLUGIN_PATH,
 * else where this build is installed; Babeltrace's own where it has them.
 */
#ifndef ITP_PERF_COMMAND_PLUGINS_H
#define ITP_PERF_COMMAND_PLUGINS_H

#include <babeltrace2/babeltrace.h>
#include <glib.h>
#include <stdbool.h>

struct itp_plugins {
	/* Owned by this. */
	const bt_plugin *introperf;
	const bt_plugin *utils;
	const bt_plugin *ctf;
	/* Of these. Weak. */
	const bt_component_class_source *perf_source;
	const bt_component_class_source *ctf_source;
	const bt_component_class_filter *muxer;
	const bt_component_class_filter *infer;
	const bt_component_class_filter *normalize;
	const bt_component_class_sink *rank;
};

bool itp_plugins_init(struct itp_plugins *plugins, GError **error);
/* Also after an error. */
void itp_plugins_release(struct itp_plugins *plugins);

#endif
