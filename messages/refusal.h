/* SPDX-License-Identifier: MIT */
/*
 * Traces that Babeltrace's own components refuse, in one sentence for a person.
 *
 * What these components tell is for those who know their source: names of states, addresses, the
 * text of a failure three calls below. A sentence here says what is wrong with the trace and what
 * helps; of Babeltrace's words it has those that tell more. The sentence begins so that the name of
 * an input can stand in front of it.
 */
#ifndef ITP_MESSAGES_REFUSAL_H
#define ITP_MESSAGES_REFUSAL_H

#include <babeltrace2/babeltrace.h>
#include <glib.h>
#include <stdbool.h>

/* Whether a component of this project tells the cause. */
bool itp_refusal_is_ours(const bt_error_cause *cause);

/* The sentence about `error`; NULL unless Babeltrace's own components are the first to tell it, and
 * none of ours has told one. Owned by the caller. */
char *itp_refusal_text(const bt_error *error);

/* Adds the sentence, where there is one, to the error of the thread, as a cause of the component or
 * of the message iterator. */
void itp_refusal_tell(bt_self_component *self);
void itp_refusal_tell_from_iterator(bt_self_message_iterator *self);

#endif
