/* SPDX-License-Identifier: MIT */
/*
 * Attaches the guard's programs: to forks, execs, ends and a timer for good, to system calls when
 * these are to be watched. What the programs do is guard.bpf.c's.
 */
#ifndef ITP_PERF_GUARD_ATTACHING_H
#define ITP_PERF_GUARD_ATTACHING_H

#include <glib.h>
#include <stdbool.h>

struct itp_guard_bpf;
struct itp_guard_attaching;

/* All is weak. NULL with an error that says what is not allowed. */
struct itp_guard_attaching *itp_guard_attaching_new(const struct itp_guard_bpf *programs,
						    guint hertz, GError **error);
/* Nothing is attached any more when this returns. */
void itp_guard_attaching_free(struct itp_guard_attaching *attaching);

/* Watches system calls, and who runs, and lets them alone again. */
bool itp_guard_attaching_watch(struct itp_guard_attaching *attaching, GError **error);
void itp_guard_attaching_rest(struct itp_guard_attaching *attaching);

/* Watches who makes threads run again, or does not any more. */
void itp_guard_attaching_watch_wakeups(struct itp_guard_attaching *attaching, bool is_on);

/* By how much a system call takes longer while these are watched, in nanoseconds: measured with
 * calls of this thread. 0 where it cannot be found out. */
double itp_guard_attaching_price_ns(struct itp_guard_attaching *attaching);

/* The file of a look around, which does it when it is read; -1 for none. Owned by the caller. */
int itp_guard_attaching_look(const struct itp_guard_attaching *attaching);

#endif
