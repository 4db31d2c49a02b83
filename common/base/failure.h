/* SPDX-License-Identifier: MIT */
/*
 * Errors with a sentence for the user: a GError whose message names the fault and its place.
 *
 * Handing them on to Babeltrace is left to messages/failure.h, and printing them to whoever asked.
 */
#ifndef ITP_BASE_FAILURE_H
#define ITP_BASE_FAILURE_H

#include <glib.h>

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

/* There was no memory, or an object of libbabeltrace2 could not be made. */
void itp_failure_set_memory(GError **error);

/* A message as a single line, as a file's name or a library may break it. Owned by the caller. */
char *itp_failure_line(const char *message);

#endif
