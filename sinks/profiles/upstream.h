/* SPDX-License-Identifier: MIT */
/*
 * What a sink's graph reads, as the ports of the sources tell it: known before the first message,
 * and whatever the filters between do with names.
 */
#ifndef ITP_SINKS_PROFILES_UPSTREAM_H
#define ITP_SINKS_PROFILES_UPSTREAM_H

#include <babeltrace2/babeltrace.h>
#include <glib.h>

/* Files and directories (char *) that are read for `sink`, whose graph is configured. Also names
 * that are none, of sources that read no files. Free it with g_ptr_array_unref(). */
GPtrArray *itp_upstream_inputs(const bt_self_component_sink *sink);

/* The same of a stream that begins, where it is called like its file, as not all ports are. */
GPtrArray *itp_stream_inputs(const bt_stream *stream);

#endif
