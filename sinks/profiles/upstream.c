/* SPDX-License-Identifier: MIT */
/*
 * See upstream.h. source.introperf.perf calls a port like its recording; source.ctf.fs like a
 * stream's file, behind the names of the trace and the stream.
 */
#include "sinks/profiles/upstream.h"

#include <string.h>

/* In front of the file, in names of source.ctf.fs. */
#define SEPARATOR " | "

static void add_port(const bt_port *port, GPtrArray *inputs);

/* Files beside the streams belong to the trace, too. */
static void add_stream_file(const char *file, GPtrArray *inputs)
{
	if (g_path_is_absolute(file)) {
		g_ptr_array_add(inputs, g_strdup(file));
		g_ptr_array_add(inputs, g_path_get_dirname(file));
	}
}

static void add_source_port(const char *name, GPtrArray *inputs)
{
	const char *separator = g_strrstr(name, SEPARATOR);

	g_ptr_array_add(inputs, g_strdup(name));
	if (separator) {
		add_stream_file(separator + strlen(SEPARATOR), inputs);
	}
}

static void add_filter_ports(const bt_component_filter *filter, GPtrArray *inputs)
{
	for (uint64_t i = 0; i < bt_component_filter_get_input_port_count(filter); i++) {
		add_port(bt_port_input_as_port_const(
				 bt_component_filter_borrow_input_port_by_index_const(filter, i)),
			 inputs);
	}
}

/* Adds the sources of `port`, an input port. The graph has no cycles. */
static void add_port(const bt_port *port, GPtrArray *inputs)
{
	const bt_connection *connection = bt_port_borrow_connection_const(port);
	const bt_port *from;
	const bt_component *component;

	if (!connection) {
		return;
	}
	from = bt_port_output_as_port_const(bt_connection_borrow_upstream_port_const(connection));
	component = bt_port_borrow_component_const(from);
	if (bt_component_is_filter(component)) {
		add_filter_ports((const bt_component_filter *)component, inputs);
	} else {
		add_source_port(bt_port_get_name(from), inputs);
	}
}

GPtrArray *itp_upstream_inputs(const bt_self_component_sink *self)
{
	const bt_component_sink *sink =
		bt_self_component_sink_as_component_sink((bt_self_component_sink *)self);
	GPtrArray *inputs = g_ptr_array_new_with_free_func(g_free);

	for (uint64_t i = 0; i < bt_component_sink_get_input_port_count(sink); i++) {
		add_port(bt_port_input_as_port_const(
				 bt_component_sink_borrow_input_port_by_index_const(sink, i)),
			 inputs);
	}
	return inputs;
}

GPtrArray *itp_stream_inputs(const bt_stream *stream)
{
	GPtrArray *inputs = g_ptr_array_new_with_free_func(g_free);
	const char *name = bt_stream_get_name(stream);

	if (name) {
		add_stream_file(name, inputs);
	}
	return inputs;
}
