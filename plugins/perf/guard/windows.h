/* SPDX-License-Identifier: MIT */
/*
 * When system calls are watched: always where that costs no more than the budget, otherwise in
 * windows that are as rare as the budget wants it. A window ends later where a unit lasts that may
 * become late.
 */
#ifndef ITP_PERF_GUARD_WINDOWS_H
#define ITP_PERF_GUARD_WINDOWS_H

#include <glib.h>
#include <stdbool.h>

struct itp_guard_kernel;
struct itp_guard_windows;

/* `kernel` is weak, and watches. `budget` is a part of the CPU time that the guarded programs use,
 * or of one CPU's where they use less; `hertz` is how often the timer looks. */
struct itp_guard_windows *itp_guard_windows_new(struct itp_guard_kernel *kernel, double budget,
						guint hertz);
void itp_guard_windows_free(struct itp_guard_windows *windows);

/* Opens or closes one if it is time to, at `now_us` of the monotonic clock. When this is to be
 * called again; G_MAXINT64 with an error where system calls cannot be watched any more. */
gint64 itp_guard_windows_step(struct itp_guard_windows *windows, gint64 now_us, GError **error);

/* Closes the one that is open, for good. */
void itp_guard_windows_close(struct itp_guard_windows *windows);

/* The part of the time since the beginning in which system calls were watched. */
double itp_guard_windows_part(const struct itp_guard_windows *windows);

/* How long system calls were watched since the beginning, in seconds. */
double itp_guard_windows_watched_s(const struct itp_guard_windows *windows);

double itp_guard_windows_budget(const struct itp_guard_windows *windows);

#endif
