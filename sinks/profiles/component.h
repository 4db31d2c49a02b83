/* SPDX-License-Identifier: MIT */
/*
 * A sink of profiles as a component of Babeltrace: what arrives in messages, and when the result is
 * due.
 *
 * When the input ends, the result is made. When an error ends the graph before that, it is made of
 * what has arrived, in finalize. When there is an interrupt, the filters end their traces, and
 * consuming goes on until that has come.
 *
 * A host that has profiles in memory, too, makes the result itself: for it the component only takes
 * what arrives.
 */
#ifndef ITP_SINKS_PROFILES_COMPONENT_H
#define ITP_SINKS_PROFILES_COMPONENT_H

#include <babeltrace2/babeltrace.h>

#include "sinks/profiles/sink.h"

/* For the initialise method of a class: the component takes `sink`, which is NULL after `error`,
 * which it takes, too. */
bt_component_class_initialize_method_status itp_rank_sink_init(bt_self_component_sink *self,
							       struct itp_rank_sink *sink,
							       GError *error);

/* An initialise method for what a host reads: `data` is its struct itp_rank_sink, which stays its
 * own, and must outlive the component. One component after the other may read into it. */
bt_component_class_initialize_method_status itp_rank_sink_init_hosted(
	bt_self_component_sink *self, bt_self_component_sink_configuration *configuration,
	const bt_value *params, void *data);

/* Takes what belongs to a profile, and shows each period. */
bool itp_rank_sink_add(struct itp_rank_sink *sink, const bt_message *message, GError **error);

/* The other methods of such classes. */
void itp_rank_sink_finalize(bt_self_component_sink *self);
bt_component_class_sink_graph_is_configured_method_status itp_rank_sink_graph_is_configured(
	bt_self_component_sink *self);
bt_component_class_sink_consume_method_status itp_rank_sink_consume(bt_self_component_sink *self);

#endif
