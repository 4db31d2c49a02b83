/* SPDX-License-Identifier: MIT */
/*
 * Errors of the Babeltrace components, on their way to the user.
 *
 * Functions below a component method report with a GError whose message names the fault and its
 * place. The method that returns to Babeltrace turns the GError into exactly one error cause,
 * prefixed with the component class, e.g. "sink.introperf.rank: ...".
 */
#ifndef ITP_MESSAGES_FAILURE_H
#define ITP_MESSAGES_FAILURE_H

#include <babeltrace2/babeltrace.h>
#include <glib.h>
#include <stdbool.h>

GQuark itp_failure_quark(void);

/* Code of an error: no calls arrived. Components tell it by missing events, and hosts by the text
 * below. Errors without a code of their own have 0. */
#define ITP_FAILURE_NO_CALLS 1
#define ITP_FAILURE_NO_CALLS_TEXT "there are no calls in what was read"
/* Code of an error: an input could be read only in part, such as a recording that was cut. The
 * result is made of the part. */
#define ITP_FAILURE_PART 2

/* A parameter is always written as in "parameter \"NAME\"". */
void itp_failure_set(GError **error, const char *format, ...) G_GNUC_PRINTF(2, 3);

/* Error of an input that could be read only in part, completed by the fate of the part. `reading`
 * is the error of reading; `refusal` the reason why the part has no result, NULL if it has. Takes
 * both. */
GError *itp_failure_of_part(GError *reading, GError *refusal);

/* An object of libbabeltrace2 could not be made. */
void itp_failure_set_memory(GError **error);

/* Both take `error` and append it as a cause to the current thread's error. */
void itp_failure_from_component(bt_self_component *self, GError *error);
void itp_failure_from_iterator(bt_self_message_iterator *self, GError *error);

/* Message of a cause, without the class in front. Weak. */
const char *itp_failure_text(const bt_error_cause *cause);

/* A message as a single line, as a file's name or a library may break it. Owned by the caller. */
char *itp_failure_line(const char *message);

/* Refuses unconnected ports: libbabeltrace2 aborts when a message iterator is made on a port that
 * leads nowhere. */
bool itp_check_connected(bt_self_component_port_input *port, GError **error);

#endif
