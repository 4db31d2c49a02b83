/* SPDX-License-Identifier: MIT */
/*
 * Events told to processes: returns of threads from waits for any event, and the reads of what the
 * events were about.
 *
 * A return tells of a number of events and names none of their descriptors. A thread that reads of
 * clients deals with its events itself. One that does not leaves all to others: a selector that
 * fills a queue, a runtime's watcher that makes coroutines ready. Whoever reads without an event of
 * its own takes the oldest of these, as queues hand out in order.
 */
#ifndef ITP_UNIT_RETURNS_H
#define ITP_UNIT_RETURNS_H

#include <stdbool.h>
#include <stdint.h>

struct itp_returns;

struct itp_returns *itp_returns_new(void);
void itp_returns_free(struct itp_returns *returns);

/* Thread `tid` has come back with `count` events at `time_ns`; 0: with none. `is_left`: the thread
 * leaves all to others. */
void itp_returns_note(struct itp_returns *returns, int32_t pid, int32_t tid, int64_t time_ns,
		      int64_t count, bool is_left);

/* Takes the event of which thread `tid` makes use, told later than `since_ns`: of the thread's last
 * return, or else the oldest one left by others. Time of the return; INT64_MIN: there is none. */
int64_t itp_returns_take(struct itp_returns *returns, int32_t pid, int32_t tid, int64_t since_ns);

/* Takes an event of the thread's last return alone. Time of the return; INT64_MIN: there is none.
 */
int64_t itp_returns_take_own(struct itp_returns *returns, int32_t pid, int32_t tid);

/* Time of the latest return with an event of any thread of the process; INT64_MIN: never. */
int64_t itp_returns_latest(const struct itp_returns *returns, int32_t pid);

/* The process has ended: another may get its number. */
void itp_returns_forget(struct itp_returns *returns, int32_t pid);

#endif
