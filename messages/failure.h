/* SPDX-License-Identifier: MIT */
/*
 * Errors of the Babeltrace components, on their way to the user.
 *
 * Functions below a component method report with a GError (common/base/failure.h). The method that
 * returns to Babeltrace turns it into exactly one error cause, prefixed with the component class,
 * e.g. "sink.introperf.rank: ...".
 */
#ifndef ITP_MESSAGES_FAILURE_H
#define ITP_MESSAGES_FAILURE_H

#include <babeltrace2/babeltrace.h>
#include <glib.h>
#include <stdbool.h>

/* Both take `error` and append it as a cause to the current thread's error. */
void itp_failure_from_component(bt_self_component *self, GError *error);
void itp_failure_from_iterator(bt_self_message_iterator *self, GError *error);

/* Message of a cause, without the class in front. Weak. */
const char *itp_failure_text(const bt_error_cause *cause);

/* Refuses unconnected ports: libbabeltrace2 aborts when a message iterator is made on a port that
 * leads nowhere. */
bool itp_check_connected(bt_self_component_port_input *port, GError **error);

#endif
