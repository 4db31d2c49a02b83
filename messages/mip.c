/* SPDX-License-Identifier: MIT */
/*
 * See mip.h. libbabeltrace2 2.1 takes the newest version that all components support: there it ends
 * programs that make classes as 2.0 has them in a graph of version 1.
 */
#include "messages/mip.h"

#define OLDEST_VERSION 0
#ifdef ITP_HAS_MIP_1
#define NEWEST_VERSION 1
#else
#define NEWEST_VERSION 0
#endif

typedef bt_component_class_get_supported_mip_versions_method_status mip_status;

static mip_status add_versions(bt_integer_range_set_unsigned *versions, uint64_t newest)
{
	return bt_integer_range_set_unsigned_add_range(versions, OLDEST_VERSION, newest) ==
			       BT_INTEGER_RANGE_SET_ADD_RANGE_STATUS_OK ?
		       BT_COMPONENT_CLASS_GET_SUPPORTED_MIP_VERSIONS_METHOD_STATUS_OK :
		       BT_COMPONENT_CLASS_GET_SUPPORTED_MIP_VERSIONS_METHOD_STATUS_MEMORY_ERROR;
}

mip_status itp_source_mip_versions(bt_self_component_class_source *self, const bt_value *params,
				   void *data, bt_logging_level level,
				   bt_integer_range_set_unsigned *versions)
{
	(void)self, (void)params, (void)data, (void)level;
	return add_versions(versions, NEWEST_VERSION);
}

mip_status itp_filter_mip_versions(bt_self_component_class_filter *self, const bt_value *params,
				   void *data, bt_logging_level level,
				   bt_integer_range_set_unsigned *versions)
{
	(void)self, (void)params, (void)data, (void)level;
	return add_versions(versions, NEWEST_VERSION);
}

mip_status itp_copier_mip_versions(bt_self_component_class_filter *self, const bt_value *params,
				   void *data, bt_logging_level level,
				   bt_integer_range_set_unsigned *versions)
{
	(void)self, (void)params, (void)data, (void)level;
	return add_versions(versions, OLDEST_VERSION);
}

mip_status itp_sink_mip_versions(bt_self_component_class_sink *self, const bt_value *params,
				 void *data, bt_logging_level level,
				 bt_integer_range_set_unsigned *versions)
{
	(void)self, (void)params, (void)data, (void)level;
	return add_versions(versions, NEWEST_VERSION);
}

bt_field_class *itp_array_class_new(bt_trace_class *trace_class, bt_field_class *element)
{
#ifdef ITP_HAS_MIP_1
	if (bt_trace_class_get_graph_mip_version(trace_class) > OLDEST_VERSION) {
		return bt_field_class_array_dynamic_without_length_field_location_create(
			trace_class, element);
	}
#endif
	return bt_field_class_array_dynamic_create(trace_class, element, NULL);
}
