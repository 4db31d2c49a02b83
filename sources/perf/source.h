/* SPDX-License-Identifier: MIT */
/*
 * Component class source.introperf.perf: perf.data files as traces of stack events.
 *
 * Each file of the parameter `inputs` gets an output port and a trace of its own. Reading and
 * symbols are common/perf-data's business; here its events become messages.
 */
#ifndef ITP_SOURCES_PERF_SOURCE_H
#define ITP_SOURCES_PERF_SOURCE_H

#include <babeltrace2/babeltrace.h>

#include "common/engine/perf-inputs.h"

/* Options of a host, as the data of the component's initialise method. */
struct itp_perf_source_host {
	/* See struct itp_perf_trace. */
	itp_tell_func tell;
};

bt_component_class_initialize_method_status itp_perf_source_init(
	bt_self_component_source *self, bt_self_component_source_configuration *configuration,
	const bt_value *params, void *data);
void itp_perf_source_finalize(bt_self_component_source *self);

/* Answers babeltrace.support-info, by which `babeltrace2 FILE` finds this class. */
bt_component_class_query_method_status itp_perf_source_query(bt_self_component_class_source *self,
							     bt_private_query_executor *executor,
							     const char *object,
							     const bt_value *params, void *data,
							     const bt_value **ret_result);

bt_message_iterator_class_initialize_method_status itp_perf_iterator_init(
	bt_self_message_iterator *self, bt_self_message_iterator_configuration *configuration,
	bt_self_component_port_output *port);
void itp_perf_iterator_finalize(bt_self_message_iterator *self);
bt_message_iterator_class_next_method_status itp_perf_iterator_next(bt_self_message_iterator *self,
								    bt_message_array_const messages,
								    uint64_t capacity,
								    uint64_t *count);
bt_message_iterator_class_seek_beginning_method_status itp_perf_iterator_seek_beginning(
	bt_self_message_iterator *self);
bt_message_iterator_class_can_seek_beginning_method_status itp_perf_iterator_can_seek_beginning(
	bt_self_message_iterator *self, bt_bool *can_seek);

#endif
