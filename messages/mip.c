/* SPDX-License-Identifier: MIT */
/*
 * See mip.h. libbabeltrace2 2.1 takes the newest version supported by all components: in a graph of
 * version 1 it ends programs that make classes in the way of 2.0.
 */
#include "messages/mip.h"

#include <stdbool.h>

#define OLDEST_VERSION 0
#ifdef ITP_HAS_MIP_1
#define NEWEST_VERSION 1
#else
#define NEWEST_VERSION 0
#endif

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

#ifdef ITP_HAS_MIP_1
static bool is_newer(const bt_trace_class *trace_class)
{
	return bt_trace_class_get_graph_mip_version(trace_class) > OLDEST_VERSION;
}
#endif

bt_field_class *itp_array_class_new(bt_trace_class *trace_class, bt_field_class *element)
{
#ifdef ITP_HAS_MIP_1
	if (is_newer(trace_class)) {
		return bt_field_class_array_dynamic_without_length_field_location_create(
			trace_class, element);
	}
#endif
	return bt_field_class_array_dynamic_create(trace_class, element, NULL);
}

bt_field_class *itp_array_class_like(bt_trace_class *trace_class, bt_field_class *element,
				     const bt_field_class *like)
{
#ifdef ITP_HAS_MIP_1
	if (is_newer(trace_class) &&
	    bt_field_class_get_type(like) == BT_FIELD_CLASS_TYPE_DYNAMIC_ARRAY_WITH_LENGTH_FIELD) {
		return bt_field_class_array_dynamic_with_length_field_location_create(
			trace_class, element,
			bt_field_class_array_dynamic_with_length_field_borrow_length_field_location_const(
				like));
	}
#else
	(void)like;
#endif
	return itp_array_class_new(trace_class, element);
}

bt_field_class *itp_option_class_new(bt_trace_class *trace_class, bt_field_class *content)
{
#ifdef ITP_HAS_MIP_1
	if (is_newer(trace_class)) {
		return bt_field_class_option_without_selector_field_location_create(trace_class,
										    content);
	}
#endif
	return bt_field_class_option_without_selector_create(trace_class, content);
}

bt_field_class *itp_variant_class_new(bt_trace_class *trace_class)
{
#ifdef ITP_HAS_MIP_1
	if (is_newer(trace_class)) {
		return bt_field_class_variant_without_selector_field_location_create(trace_class);
	}
#endif
	return bt_field_class_variant_create(trace_class, NULL);
}
