/* SPDX-License-Identifier: MIT */
/*
 * Common parts of the filters: one input port, one output port, a state for each input trace.
 *
 * A filter component describes by struct itp_filter_ops how it handles the records of a trace;
 * everything else - ports, message iterators, the output traces, order, the end of streams, errors
 * of components upstream, interrupts - is done here, once. Traces stay apart: each trace that
 * declares the filter's event class gets an output trace of its own. Traces of a later stage, such
 * as a saved profile beside a recording, are passed on; all others end here.
 */
#ifndef ITP_MESSAGES_FILTER_H
#define ITP_MESSAGES_FILTER_H

#include "messages/filter-ops.h"

/* For the component's initialize method. `ops` outlive the component, and so does a host's
 * `missing_text` in place of ops->missing_text; NULL: without. */
bt_component_class_initialize_method_status itp_filter_init(bt_self_component_filter *self,
							    const struct itp_filter_ops *ops,
							    const bt_value *params,
							    const char *missing_text);

/* The other methods, equal for all filters. */
void itp_filter_finalize(bt_self_component_filter *self);
bt_message_iterator_class_initialize_method_status itp_filter_iterator_init(
	bt_self_message_iterator *self, bt_self_message_iterator_configuration *configuration,
	bt_self_component_port_output *port);
void itp_filter_iterator_finalize(bt_self_message_iterator *self);
bt_message_iterator_class_next_method_status itp_filter_iterator_next(
	bt_self_message_iterator *self, bt_message_array_const messages, uint64_t capacity,
	uint64_t *count);
bt_message_iterator_class_seek_beginning_method_status itp_filter_iterator_seek_beginning(
	bt_self_message_iterator *self);
bt_message_iterator_class_can_seek_beginning_method_status itp_filter_iterator_can_seek_beginning(
	bt_self_message_iterator *self, bt_bool *can_seek);

#endif
