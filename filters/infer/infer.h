/* SPDX-License-Identifier: MIT */
/*
 * Component class filter.introperf.infer: stack events in, function instances out.
 *
 * All inference is common/infer's; the ports and iterators are plugins/babeltrace/filter.c's.
 */
#ifndef ITP_FILTERS_INFER_INFER_H
#define ITP_FILTERS_INFER_INFER_H

#include <babeltrace2/babeltrace.h>

bt_component_class_initialize_method_status itp_infer_filter_init(
	bt_self_component_filter *self, bt_self_component_filter_configuration *configuration,
	const bt_value *params, void *data);

#endif
