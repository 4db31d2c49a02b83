/* SPDX-License-Identifier: MIT */
/*
 * Periods of a trace or a growing recording, after each of which its results are told.
 *
 * A period ends when the time, or the number of events, is a multiple of its length: periods of a
 * trace agree in two filters, and so do periods of traces with a common clock.
 */
#ifndef ITP_ENGINE_PERIOD_H
#define ITP_ENGINE_PERIOD_H

#include <glib.h>
#include <stdbool.h>
#include <stdint.h>

/* Length of a period: either member is above 0; both are 0 without periods. */
struct itp_period {
	int64_t ns;
	uint64_t events;
};

/* `text` is the parameter's value, such as "10s", "500ms" or "100000 events", or NULL. */
bool itp_period_parse(const char *text, struct itp_period *ret_period, GError **error);

/* State of a trace in its periods. */
struct itp_period_watch {
	struct itp_period period;
	/* How many are over. */
	uint64_t number;
	bool has_begun;
	/* Begin of the current period, and its end if periods are told by time. */
	int64_t begin_ns;
	int64_t end_ns;
	/* Time of the last message. */
	int64_t last_ns;
	uint64_t events;
};

void itp_period_watch_init(struct itp_period_watch *watch, const struct itp_period *period);

/* Takes the time of each message, before the message is handled. Returns true when a period was
 * over before it, with the period's end. A time without messages is part of the period before. */
bool itp_period_watch_pass(struct itp_period_watch *watch, int64_t time_ns, bool is_event,
			   int64_t *ret_end_ns);

#endif
