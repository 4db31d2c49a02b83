/* SPDX-License-Identifier: MIT */
/*
 * The message interchange protocol versions that component classes support: 0, which is all that
 * Babeltrace 2.0 knows, and with 2.1 also 1, in whose graphs sink.ctf.fs writes CTF 2. But copies
 * of events of any kind are made in graphs of version 0 only.
 */
#ifndef ITP_MESSAGES_MIP_H
#define ITP_MESSAGES_MIP_H

#include <babeltrace2/babeltrace.h>

bt_component_class_get_supported_mip_versions_method_status itp_source_mip_versions(
	bt_self_component_class_source *self, const bt_value *params, void *data,
	bt_logging_level level, bt_integer_range_set_unsigned *versions);
bt_component_class_get_supported_mip_versions_method_status itp_filter_mip_versions(
	bt_self_component_class_filter *self, const bt_value *params, void *data,
	bt_logging_level level, bt_integer_range_set_unsigned *versions);
bt_component_class_get_supported_mip_versions_method_status itp_copier_mip_versions(
	bt_self_component_class_filter *self, const bt_value *params, void *data,
	bt_logging_level level, bt_integer_range_set_unsigned *versions);
bt_component_class_get_supported_mip_versions_method_status itp_sink_mip_versions(
	bt_self_component_class_sink *self, const bt_value *params, void *data,
	bt_logging_level level, bt_integer_range_set_unsigned *versions);

/* A class of arrays of any length, as each version makes them. NULL when memory runs out. */
bt_field_class *itp_array_class_new(bt_trace_class *trace_class, bt_field_class *element);

#endif
