/* SPDX-License-Identifier: MIT */
/*
 * Message interchange protocol versions that all component classes support: 0 and 1.
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

#endif
