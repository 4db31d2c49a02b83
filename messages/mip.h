/* SPDX-License-Identifier: MIT */
/*
 * Versions of the message interchange protocol supported by component classes: 0, the only version
 * of Babeltrace 2.0, and with 2.1 also 1, in whose graphs sink.ctf.fs writes CTF 2. And classes of
 * fields, made by the means of each version. Identities in each version are left to identity.h.
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

/* A class of arrays with the length of the arrays of `like`, if a field holds the length. Matters
 * from version 1 on, as sink.ctf.fs saves a field of its own making for a length that no field
 * holds. */
bt_field_class *itp_array_class_like(bt_trace_class *trace_class, bt_field_class *element,
				     const bt_field_class *like);

/* A class of optional fields of class `content`. No field tells whether the content is present. */
bt_field_class *itp_option_class_new(bt_trace_class *trace_class, bt_field_class *content);

/* A class of fields with one content of several classes, to be appended. No field tells the chosen
 * class. */
bt_field_class *itp_variant_class_new(bt_trace_class *trace_class);

#endif
