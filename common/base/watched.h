/* SPDX-License-Identifier: MIT */
/*
 * Kinds of events that a recording watches, as a set, and the numbers that each kind tells.
 *
 *   events with stacks        numbers that they tell
 *   ticks of a timer          CPU time of a context: so many ticks, each for its interval
 *   switches                  how long a call took, and how much of that the thread was blocked
 *   system calls              how long a call took, how often it was made
 *   entries of functions      the same
 *   any others, page faults   none: a thread may have done anything in between
 *
 * A thread that shows itself by ticks alone may sleep for two seconds between two of them, and
 * nothing tells: what lies between is no latency. What profiles keep for that reason is
 * common/infer/kept.h's.
 */
#ifndef ITP_BASE_WATCHED_H
#define ITP_BASE_WATCHED_H

#include "common/base/stack-event.h"

/* Bits of a set; the numbers are part of the message contract. */
enum itp_watched {
	/* The other bits are known. Profiles of before have none, and count as watched. */
	ITP_WATCHED_TOLD = 1 << 0,
	ITP_WATCHED_TICKS = 1 << 1,
	/* With stacks, as all but wakeups. */
	ITP_WATCHED_SWITCHES = 1 << 2,
	ITP_WATCHED_WAKEUPS = 1 << 3,
	ITP_WATCHED_CALLS = 1 << 4,
	ITP_WATCHED_FUNCTIONS = 1 << 5,
	/* Who takes the stacks says that a thread does nothing unseen between them. */
	ITP_WATCHED_BY_HOST = 1 << 6,
};

/* The kind that `event` is of, 0 for those that tell nothing. */
uint32_t itp_watched_by(const struct itp_stack_event *event);

/* The kinds that both recordings watch. */
uint32_t itp_watched_both(uint32_t watched, uint32_t other);

/* Whether what a thread does between two events shows, so that latencies are known. */
bool itp_watched_shows_latencies(uint32_t watched);

/* The kinds by name, "ticks switches", in their order: as it stands in environments of traces.
 * Owned by the caller; and the set that such a text means, without the names that it does not know.
 */
char *itp_watched_text(uint32_t watched);
uint32_t itp_watched_parse(const char *text);

#endif
