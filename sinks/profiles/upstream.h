/* SPDX-License-Identifier: MIT */
/*
 * Input files of a sink's graph, as the ports of the sources tell them: known before the first
 * message, and whatever the filters between do with names.
 */
#ifndef ITP_SINKS_PROFILES_UPSTREAM_H
#define ITP_SINKS_PROFILES_UPSTREAM_H

#include <babeltrace2/babeltrace.h>
#include <glib.h>

/* Files and directories (char *) read for `sink`, whose graph is configured, and names from sources
 * that read no files. Free it with g_ptr_array_unref(). */
GPtrArray *itp_upstream_inputs(const bt_self_component_sink *sink);

/* Files of a new stream, for a stream named by its file, unlike some ports. */
GPtrArray *itp_stream_inputs(const bt_stream *stream);

#endif
