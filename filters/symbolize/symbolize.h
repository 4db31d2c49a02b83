/* SPDX-License-Identifier: MIT */
/*
 * Component class filter.introperf.symbolize: the events of any trace, with the names of functions
 * and modules beside addresses of code.
 *
 *   symbolize.c      the component
 *   symbol-fields.c  fields with symbols, beside fields with addresses
 *   trace-copy.c     a copy of a trace with such fields; message-copy.c: of its messages
 *   field-copy.c     copies of fields; blob-copy.c: of those that Babeltrace 2.0 lacks
 *
 * Mappings and symbols are the adapter's matter (messages/foreign.h).
 */
#ifndef ITP_FILTERS_SYMBOLIZE_SYMBOLIZE_H
#define ITP_FILTERS_SYMBOLIZE_SYMBOLIZE_H

#include <babeltrace2/babeltrace.h>

bt_component_class_initialize_method_status itp_symbolize_init(
	bt_self_component_filter *self, bt_self_component_filter_configuration *configuration,
	const bt_value *params, void *data);
void itp_symbolize_finalize(bt_self_component_filter *self);

bt_message_iterator_class_initialize_method_status itp_symbolize_iterator_init(
	bt_self_message_iterator *self, bt_self_message_iterator_configuration *configuration,
	bt_self_component_port_output *port);
void itp_symbolize_iterator_finalize(bt_self_message_iterator *self);
bt_message_iterator_class_next_method_status itp_symbolize_iterator_next(
	bt_self_message_iterator *self, bt_message_array_const messages, uint64_t capacity,
	uint64_t *count);
bt_message_iterator_class_seek_beginning_method_status itp_symbolize_iterator_seek_beginning(
	bt_self_message_iterator *self);
bt_message_iterator_class_can_seek_beginning_method_status
itp_symbolize_iterator_can_seek_beginning(bt_self_message_iterator *self, bt_bool *can_seek);

#endif
