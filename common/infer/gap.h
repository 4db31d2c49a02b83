/* SPDX-License-Identifier: MIT */
/*
 * Shares of the time between two stacks among the functions that returned or were called in it.
 *
 * Between two stacks some frames returned and others were called, in a known order and at unknown
 * times. From a change to the next, a single function was innermost. The best estimate gives each
 * an equal part of the gap, and between two stacks of a timer a part by its habits: ticks that
 * found a function innermost, for each such gap in which it ever was.
 */
#ifndef ITP_INFER_GAP_H
#define ITP_INFER_GAP_H

#include <glib.h>
#include <stdbool.h>
#include <stdint.h>

#include "common/infer/instance.h"

/* An instant in the life of a thread: the time, and how its time was used until then. */
struct itp_moment {
	int64_t time_ns;
	struct itp_time_use use;
};

/* Known habits of a recording's functions, and the gap at hand. */
struct itp_gap;

struct itp_gap *itp_gap_new(void);
void itp_gap_free(struct itp_gap *gap);

/* A timer found `function` innermost. */
void itp_gap_learn(struct itp_gap *gap, uint32_t function);

/* Begins with a gap that has no change yet. `by_timer`: both ends are stacks of a timer. */
void itp_gap_begin(struct itp_gap *gap, const struct itp_moment *from, const struct itp_moment *to,
		   bool by_timer);

/* From the last change, or the beginning, to the next change, or the end, `function` is innermost:
 * for some time, or for none. Said of all in their order before the first question. */
void itp_gap_add(struct itp_gap *gap, uint32_t function);
/* Adds a part of known length, relative to the others. 0: an instant. */
void itp_gap_add_part(struct itp_gap *gap, double part);

/* When the next change most likely happened, in order. */
struct itp_moment itp_gap_next(struct itp_gap *gap);

#endif
