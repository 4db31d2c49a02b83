/* SPDX-License-Identifier: MIT */
/*
 * See mip.h. libbabeltrace2 2.0 knows version 0 only and takes no notice of the rest.
 */
#include "messages/mip.h"

#define OLDEST_VERSION 0
#define NEWEST_VERSION 1

typedef bt_component_class_get_supported_mip_versions_method_status mip_status;

static mip_status add_versions(bt_integer_range_set_unsigned *versions)
{
	return bt_integer_range_set_unsigned_add_range(versions, OLDEST_VERSION, NEWEST_VERSION) ==
			       BT_INTEGER_RANGE_SET_ADD_RANGE_STATUS_OK ?
		       BT_COMPONENT_CLASS_GET_SUPPORTED_MIP_VERSIONS_METHOD_STATUS_OK :
		       BT_COMPONENT_CLASS_GET_SUPPORTED_MIP_VERSIONS_METHOD_STATUS_MEMORY_ERROR;
}

mip_status itp_source_mip_versions(bt_self_component_class_source *self, const bt_value *params,
				   void *data, bt_logging_level level,
				   bt_integer_range_set_unsigned *versions)
{
	(void)self, (void)params, (void)data, (void)level;
	return add_versions(versions);
}

mip_status itp_filter_mip_versions(bt_self_component_class_filter *self, const bt_value *params,
				   void *data, bt_logging_level level,
				   bt_integer_range_set_unsigned *versions)
{
	(void)self, (void)params, (void)data, (void)level;
	return add_versions(versions);
}

mip_status itp_sink_mip_versions(bt_self_component_class_sink *self, const bt_value *params,
				 void *data, bt_logging_level level,
				 bt_integer_range_set_unsigned *versions)
{
	(void)self, (void)params, (void)data, (void)level;
	return add_versions(versions);
}
