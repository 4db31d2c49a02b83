/* SPDX-License-Identifier: MIT */
/*
 * The message interchange protocol versions that component classes support: 0, which is all that
 * Babeltrace 2.0 knows, and with 2.1 also 1, in whose graphs sink.ctf.fs writes CTF 2. And classes
 * of fields as each version makes them. How a version tells what is the same is identity.h's.
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
bt_component_class_get_supported_mip_versions_method_status itp_sink_mip_versions(
	bt_self_component_class_sink *self, const bt_value *params, void *data,
	bt_logging_level level, bt_integer_range_set_unsigned *versions);

/* A class of arrays of any length. NULL when memory runs out, as for the others. */
bt_field_class *itp_array_class_new(bt_trace_class *trace_class, bt_field_class *element);

/* The same, whose length is where that of the arrays of `like` is, if any field holds that: this
 * from version 1 on, where sink.ctf.fs saves a field of its own making for a length that no field
 * holds. */
bt_field_class *itp_array_class_like(bt_trace_class *trace_class, bt_field_class *element,
				     const bt_field_class *like);

/* A class of fields that may hold one of the class `content`. No field tells whether they do. */
bt_field_class *itp_option_class_new(bt_trace_class *trace_class, bt_field_class *content);

/* A class of fields that hold one of several others, which are to be appended. No field tells
 * which. */
bt_field_class *itp_variant_class_new(bt_trace_class *trace_class);

#endif
