/* SPDX-License-Identifier: MIT */
/*
 * Interests from messages, one for each trace, with their functions and contexts.
 */
#ifndef ITP_SINKS_MINE_INTERESTS_H
#define ITP_SINKS_MINE_INTERESTS_H

#include <babeltrace2/babeltrace.h>
#include <glib.h>
#include <stdbool.h>

#include "common/mine/interests.h"

struct itp_interest_arrivals;

struct itp_interest_arrivals *itp_interest_arrivals_new(void);
void itp_interest_arrivals_free(struct itp_interest_arrivals *arrivals);

/* Takes messages of an interest. */
bool itp_interest_arrivals_add(struct itp_interest_arrivals *arrivals, const bt_message *message,
			       GError **error);

/* Moves all arrivals to `mining`, and forgets them: as good traces where one of `base` (char *, or
 * NULL) names them as the parameter of sinks that rank does, or all with `of_base`. `path`, which
 * may be NULL, is the traces' name. A line about each symptom goes to `each`, which may be NULL. */
bool itp_interest_arrivals_take(struct itp_interest_arrivals *arrivals, struct itp_mining *mining,
				const GPtrArray *base, bool of_base, const char *path,
				GString *each, GError **error);

#endif
