/* SPDX-License-Identifier: MIT */
/*
 * Stretches of all threads of a recording, as the inference tells them.
 *
 * A history grows with its recording: 24 bytes for each stretch, about as many as stacks, and 16
 * for each wait. Contexts and functions are those of the inference.
 */
#ifndef ITP_WAIT_HISTORY_H
#define ITP_WAIT_HISTORY_H

#include <glib.h>
#include <stdbool.h>

#include "common/infer/stretch.h"

struct itp_history;

struct itp_history *itp_history_new(void);
void itp_history_free(struct itp_history *history);

/* Takes the next stretch; the stretches of a thread come in order. Stretches of the same kind and
 * context in a row become one, unless the thread has ended a wait in between. */
void itp_history_add(struct itp_history *history, const struct itp_stretch *stretch);

/* True if any wait was seen to be ended by a wakeup: otherwise nothing tells which threads were
 * waited for. */
bool itp_history_has_wakeups(const struct itp_history *history);

/* Ticks of a timer that found any thread running in this context, outside of system calls. */
uint64_t itp_history_ticks(const struct itp_history *history, uint32_t node);

/* Life of a thread: all its stretches. Weak. NULL for a thread that was never seen. */
struct itp_life;
const struct itp_life *itp_history_life(const struct itp_history *history, int32_t tid);

/* All lives (const struct itp_life *, weak), by thread. Free with g_ptr_array_unref(). */
GPtrArray *itp_history_lives(const struct itp_history *history);

int32_t itp_life_tid(const struct itp_life *life);
size_t itp_life_length(const struct itp_life *life);
struct itp_stretch itp_life_get(const struct itp_life *life, size_t i);
/* Index of the first stretch that ends after `time_ns`; the length without any. */
size_t itp_life_find(const struct itp_life *life, int64_t time_ns);

#endif
