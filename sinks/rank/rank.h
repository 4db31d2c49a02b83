/* SPDX-License-Identifier: MIT */
/*
 * Component class sink.introperf.rank: profiles in, a ranking out.
 *
 * The ranking is a job of common/engine (written-ranking.h), its input sinks/profiles'.
 */
#ifndef ITP_SINKS_RANK_RANK_H
#define ITP_SINKS_RANK_RANK_H

#include <babeltrace2/babeltrace.h>

/* Further methods of the class: sinks/profiles/component.h. */
bt_component_class_initialize_method_status itp_rank_init(
	bt_self_component_sink *self, bt_self_component_sink_configuration *configuration,
	const bt_value *params, void *data);

#endif
