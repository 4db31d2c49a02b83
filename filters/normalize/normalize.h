/* SPDX-License-Identifier: MIT */
/*
 * Component class filter.introperf.normalize: function instances in, a profile out.
 *
 *   normalize.c  the component
 *   builder.c    a profile for each trace
 *
 * The sums are common/infer's (normalize.h, profile.h); the ports and iterators are
 * messages/filter.c's.
 */
#ifndef ITP_FILTERS_NORMALIZE_NORMALIZE_H
#define ITP_FILTERS_NORMALIZE_NORMALIZE_H

#include <babeltrace2/babeltrace.h>

/* `data` is a host's message when nothing arrives, or NULL. */
bt_component_class_initialize_method_status itp_normalize_filter_init(
	bt_self_component_filter *self, bt_self_component_filter_configuration *configuration,
	const bt_value *params, void *data);

#endif
