/* SPDX-License-Identifier: MIT */
/*
 * Windows in which system calls are watched: always open if watching costs no more than the budget,
 * otherwise as rare as the budget asks. A window ends later while a unit lasts that may become
 * late.
 */
#ifndef ITP_PERF_GUARD_WINDOWS_H
#define ITP_PERF_GUARD_WINDOWS_H

#include <glib.h>
#include <stdbool.h>

/* Part of the time that counts as all of it. */
#define ITP_GUARD_ALWAYS 0.995

struct itp_guard_kernel;
struct itp_guard_windows;

/* `kernel` is weak, and watches. `budget` is a part of the CPU time used by the guarded programs,
 * or of one CPU's if they use less; `hertz` is the rate of the timer. */
struct itp_guard_windows *itp_guard_windows_new(struct itp_guard_kernel *kernel, double budget,
						guint hertz);
void itp_guard_windows_free(struct itp_guard_windows *windows);

/* Opens or closes a window if due at `now_us` of the monotonic clock. Returns the time of the next
 * step; G_MAXINT64 with an error when system calls cannot be watched any more. */
gint64 itp_guard_windows_step(struct itp_guard_windows *windows, gint64 now_us, GError **error);

/* Closes the open window, for good. */
void itp_guard_windows_close(struct itp_guard_windows *windows);

/* Part of the time since the begin in which system calls were watched. */
double itp_guard_windows_part(const struct itp_guard_windows *windows);

/* Time since the begin in which system calls were watched, in seconds. */
double itp_guard_windows_watched_s(const struct itp_guard_windows *windows);

double itp_guard_windows_budget(const struct itp_guard_windows *windows);

#endif
