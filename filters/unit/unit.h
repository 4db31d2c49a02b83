/* SPDX-License-Identifier: MIT */
/*
 * Component class filter.introperf.unit: messages of filter.introperf.infer go on, and at the end
 * of each trace its units of work follow, by type (PerfGuard, sections 3 and 4).
 *
 * Units are common/unit's; the ports and iterators are messages/filter.c's.
 */
#ifndef ITP_FILTERS_UNIT_UNIT_H
#define ITP_FILTERS_UNIT_UNIT_H

#include <babeltrace2/babeltrace.h>

/* `data` is a host's message when nothing arrives, or NULL. */
bt_component_class_initialize_method_status itp_unit_filter_init(
	bt_self_component_filter *self, bt_self_component_filter_configuration *configuration,
	const bt_value *params, void *data);

#endif
