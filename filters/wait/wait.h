/* SPDX-License-Identifier: MIT */
/*
 * Component class filter.introperf.wait: what threads did when in; symptoms, the waits that held
 * them up and their stacks of interest out (StackMine, section IV).
 *
 * Whatever is found is common/wait's; the ports and iterators are messages/filter.c's.
 */
#ifndef ITP_FILTERS_WAIT_WAIT_H
#define ITP_FILTERS_WAIT_WAIT_H

#include <babeltrace2/babeltrace.h>

bt_component_class_initialize_method_status itp_wait_filter_init(
	bt_self_component_filter *self, bt_self_component_filter_configuration *configuration,
	const bt_value *params, void *data);

#endif
