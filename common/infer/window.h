/* SPDX-License-Identifier: MIT */
/*
 * Windows in which system calls are watched (ITP_EVENT_WINDOW): calls seen there stand for others
 * made meanwhile.
 *
 * A call counts in the window of its begin, by the best estimate: each has one begin, which is in a
 * window with the chance of 1 in N, so that N times the calls in windows is right on average,
 * whatever the calls are like (Horvitz and Thompson, 1952). doc/windows.md.
 */
#ifndef ITP_INFER_WINDOW_H
#define ITP_INFER_WINDOW_H

#include <stdbool.h>
#include <stdint.h>

/* Last window; zeroed before the first. */
struct itp_window {
	/* Counts up from 1. */
	uint32_t number;
	/* N. */
	uint32_t one_in;
	bool is_open;
	int64_t begin_ns;
	int64_t end_ns;
};

/* True when a call that began at `time_ns` counts in the window. */
static inline bool itp_window_holds(const struct itp_window *window, int64_t time_ns)
{
	return time_ns >= window->begin_ns && (window->is_open || time_ns < window->end_ns);
}

/* Calls, besides itself, for which a call begun at `time_ns` stands; -1 where others stand for
 * it. */
static inline int32_t itp_window_unseen(const struct itp_window *window, int64_t time_ns)
{
	return itp_window_holds(window, time_ns) ? (int32_t)window->one_in - 1 : -1;
}

#endif
