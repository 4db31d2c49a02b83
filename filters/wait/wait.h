/* SPDX-License-Identifier: MIT */
/*
 * Component class filter.introperf.wait: doings of threads in; symptoms, the waits behind them and
 * their stacks of interest out (StackMine, section IV).
 *
 *   wait.c     the component: a history and symptoms for each trace
 *   telling.c  its messages
 *
 * Findings are common/wait's; the ports and iterators are messages/filter.c's, its
 * parameters common/engine's.
 */
#ifndef ITP_FILTERS_WAIT_WAIT_H
#define ITP_FILTERS_WAIT_WAIT_H

#include <babeltrace2/babeltrace.h>

/* `data` is a host's message when nothing arrives, or NULL. */
bt_component_class_initialize_method_status itp_wait_filter_init(
	bt_self_component_filter *self, bt_self_component_filter_configuration *configuration,
	const bt_value *params, void *data);

#endif
