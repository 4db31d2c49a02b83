/* SPDX-License-Identifier: MIT */
/*
 * Periods of a trace, after each of which the filters tell what it has brought.
 *
 * Their ends are where the time, or the number of events, is a multiple of their length, so that
 * those of one trace in two filters, and those of traces with one clock, are the same.
 */
#ifndef ITP_MESSAGES_PERIOD_H
#define ITP_MESSAGES_PERIOD_H

#include <glib.h>
#include <stdbool.h>
#include <stdint.h>

/* The length: one of both is above 0, or none when there are no periods. */
struct itp_period {
	int64_t ns;
	uint64_t events;
};

/* `text` is the parameter's value, such as "10s", "500ms" or "100000 events", or NULL. */
bool itp_period_parse(const char *text, struct itp_period *ret_period, GError **error);

/* Where a trace is in its periods. */
struct itp_period_watch {
	struct itp_period period;
	/* How many are over. */
	uint64_t number;
	bool has_begun;
	/* Of the period that goes on; the end where it is told by time. */
	int64_t begin_ns;
	int64_t end_ns;
	/* Of the last message. */
	int64_t last_ns;
	uint64_t events;
};

void itp_period_watch_init(struct itp_period_watch *watch, const struct itp_period *period);

/* To be told of each message, before it is handled. Returns true when a period was over before it,
 * with its end. A time in which nothing came is part of the period before. */
bool itp_period_watch_pass(struct itp_period_watch *watch, int64_t time_ns, bool is_event,
			   int64_t *ret_end_ns);

#endif
