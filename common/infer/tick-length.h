/* SPDX-License-Identifier: MIT */
/*
 * For how much CPU time the ticks of a recording stand.
 *
 * Most timers tell: a clock by its period in nanoseconds, others by their number of ticks a second.
 * A counter of cycles does not. A busy thread shows such ticks at the distance that they stand for,
 * a thread that sleeps now and then shows some further apart: each tick takes the median of all
 * distances.
 */
#ifndef ITP_INFER_TICK_LENGTH_H
#define ITP_INFER_TICK_LENGTH_H

#include <stdint.h>

struct itp_tick_length;

struct itp_tick_length *itp_tick_length_new(void);
void itp_tick_length_free(struct itp_tick_length *length);

/* A tick of thread `tid` at `time_ns`; it stands for `tick_ns`, 0 when its timer does not tell. */
void itp_tick_length_add(struct itp_tick_length *length, int32_t tid, int64_t time_ns,
			 int64_t tick_ns);

/* No more ticks come of thread `tid`: another thread may get its number. */
void itp_tick_length_end(struct itp_tick_length *length, int32_t tid);

/* Of all ticks until now. */
int64_t itp_tick_length_sum(const struct itp_tick_length *length);

#endif
