/* SPDX-License-Identifier: MIT */
/*
 * Past of a thread since the begin of its wait before: how its time was used, and where the timer
 * found it.
 */
#ifndef ITP_UNIT_PAST_H
#define ITP_UNIT_PAST_H

#include "common/unit/spans.h"

/* Initialised by itp_past_init(). */
struct itp_past {
	/* struct itp_span, the latest ones. Owned by this. */
	GArray *spans;
	/* Sums of older spans: in the wait before, and since its end. */
	struct itp_time_use before_use;
	struct itp_time_use use;
	/* Begin and end of the wait before. */
	int64_t before_ns;
	int64_t since_ns;
	/* uint32_t: nodes of the timer's ticks since the end of the wait before. Owned by this. */
	GArray *ticks;
};

void itp_past_init(struct itp_past *past);
void itp_past_release(struct itp_past *past);

/* Adds the next stretch of the thread's life. `node` is the innermost function outside of the
 * kernel in which the timer found the thread, such as a system call; ITP_CONTEXT_ROOT for none. */
void itp_past_add(struct itp_past *past, const struct itp_stretch *stretch, uint32_t node);

/* Removes the latest ticks in the context `wait`, which the thread has just reached. */
void itp_past_remove_ticks(struct itp_past *past, uint32_t wait);

/* Sets the use of time in the wait before, and behind it until `end_ns`. */
void itp_past_sum(const struct itp_past *past, int64_t end_ns, struct itp_time_use *ret_before_use,
		  struct itp_time_use *ret_use);

/* Forgets all until a wait from `begin_ns` to `end_ns`, which is the wait before from now on. */
void itp_past_forget(struct itp_past *past, int64_t begin_ns, int64_t end_ns);

#endif
