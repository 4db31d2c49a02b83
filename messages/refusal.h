/* SPDX-License-Identifier: MIT */
/*
 * Traces refused by Babeltrace's own components, in a sentence for a person.
 *
 * Messages of Babeltrace's components are for readers of their source: names of states, addresses,
 * the text of a failure three calls below. A sentence of this file names the fault of the trace and
 * a remedy, with Babeltrace's words if they tell more. An input's name can precede the sentence.
 */
#ifndef ITP_MESSAGES_REFUSAL_H
#define ITP_MESSAGES_REFUSAL_H

#include <babeltrace2/babeltrace.h>
#include <glib.h>
#include <stdbool.h>

/* True when a component of this project tells the cause. */
bool itp_refusal_is_ours(const bt_error_cause *cause);

/* The sentence about `error`; NULL unless Babeltrace's own components are the first to tell it, and
 * no component of ours has told a cause. Owned by the caller. */
char *itp_refusal_text(const bt_error *error);

/* Adds the sentence, if any, to the error of the thread, as a cause of the component or of the
 * message iterator. */
void itp_refusal_tell(bt_self_component *self);
void itp_refusal_tell_from_iterator(bt_self_message_iterator *self);

#endif
