/* SPDX-License-Identifier: MIT */
/*
 * Attaches the guard's programs: for good to forks, execs, ends and a timer; on request to system
 * calls. The programs themselves are in guard.bpf.c.
 */
#ifndef ITP_PERF_GUARD_ATTACHING_H
#define ITP_PERF_GUARD_ATTACHING_H

#include <glib.h>
#include <stdbool.h>

struct itp_guard_bpf;
struct itp_guard_attaching;

/* All is weak. NULL with an error that names the forbidden step. */
struct itp_guard_attaching *itp_guard_attaching_new(const struct itp_guard_bpf *programs,
						    guint hertz, GError **error);
/* Detaches all programs before it returns. */
void itp_guard_attaching_free(struct itp_guard_attaching *attaching);

/* Watches system calls, and the threads that run, or stops to. False with an error if refused. */
bool itp_guard_attaching_watch(struct itp_guard_attaching *attaching, GError **error);
void itp_guard_attaching_rest(struct itp_guard_attaching *attaching);

/* Watches wakeups of threads, or stops to. */
void itp_guard_attaching_watch_wakeups(struct itp_guard_attaching *attaching, bool is_on);

/* Extra time of a watched system call, in nanoseconds, measured with calls of this thread. 0 when
 * unknown. */
double itp_guard_attaching_price_ns(struct itp_guard_attaching *attaching);

/* File that does a look around when read; -1 for none. Owned by the caller. */
int itp_guard_attaching_look(const struct itp_guard_attaching *attaching);

#endif
