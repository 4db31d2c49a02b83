/* SPDX-License-Identifier: MIT */
/*
 * Kinds of events watched by a recording, as a set, and the numbers told by each kind.
 *
 *   events with stacks        numbers that they tell
 *   ticks of a timer          CPU time of a context: so many ticks, each for its interval
 *   switches                  how long a call took, and how much of that the thread was blocked
 *   system calls              how long a call took, how often it was made
 *   entries of functions      the same
 *   any others, page faults   none: a thread may have done anything in between
 *
 * A thread seen by ticks alone may sleep for two seconds between two of them, and nothing tells:
 * the span between is no latency. Numbers kept in profiles for a set are common/infer/kept.h's.
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
	/* Maker of the stacks says that a thread does nothing unseen between them. */
	ITP_WATCHED_BY_HOST = 1 << 6,
};

/* Kind of an event, 0 for an event that tells nothing. */
uint32_t itp_watched_by(const struct itp_stack_event *event);

/* Kinds watched by both recordings. */
uint32_t itp_watched_both(uint32_t watched, uint32_t other);

/* True when a thread's doings between two events show, so that latencies are known. */
bool itp_watched_shows_latencies(uint32_t watched);

/* Fact of a recording, in the environment of its trace: the set as a text. */
#define ITP_WATCHED_ENTRY "introperf_watched"

/* Kinds by name, "ticks switches", in their order, for environments of traces; owned by the caller.
 * And the set of such a text, without unknown names. */
char *itp_watched_text(uint32_t watched);
uint32_t itp_watched_parse(const char *text);

#endif
