/* SPDX-License-Identifier: MIT */
/*
 * Errors of the Babeltrace components, on their way to the user.
 *
 * Functions below a component method report with a GError whose message says what is wrong with
 * what. The method that returns to Babeltrace turns it into exactly one error cause, prefixed
 * with the component class, e.g. "sink.introperf.rank: ...".
 */
#ifndef ITP_MESSAGES_FAILURE_H
#define ITP_MESSAGES_FAILURE_H

#include <babeltrace2/babeltrace.h>
#include <glib.h>
#include <stdbool.h>

GQuark itp_failure_quark(void);

/* Code of the error that no calls arrived, which components tell by the events that are missing,
 * and hosts by this text. Errors without a code of their own have 0. */
#define ITP_FAILURE_NO_CALLS 1
#define ITP_FAILURE_NO_CALLS_TEXT "there are no calls in what was read"
/* Code of the error that an input could be read only in part, such as a recording that was cut. The
 * result is made of that part. */
#define ITP_FAILURE_PART 2

/* A parameter is always written as in "parameter \"NAME\"". */
void itp_failure_set(GError **error, const char *format, ...) G_GNUC_PRINTF(2, 3);

/* What a user is told of an input that could not be read, once it is known what became of the part
 * that could. `reading` is the error of reading, `refusal` why there is no result of the part;
 * NULL: there is one. Takes both. */
GError *itp_failure_of_part(GError *reading, GError *refusal);

/* An object of libbabeltrace2 could not be made. */
void itp_failure_set_memory(GError **error);

/* Both take `error` and append it as a cause to the current thread's error. */
void itp_failure_from_component(bt_self_component *self, GError *error);
void itp_failure_from_iterator(bt_self_message_iterator *self, GError *error);

/* What a cause says, without the class that it comes from. Weak. */
const char *itp_failure_text(const bt_error_cause *cause);

/* A message as one line, as a file's name or a library may break it. Owned by the caller. */
char *itp_failure_line(const char *message);

/* libbabeltrace2 aborts when a message iterator is made on a port that leads nowhere. */
bool itp_check_connected(bt_self_component_port_input *port, GError **error);

#endif
