/* SPDX-License-Identifier: MIT */
/*
 * Who held whom up, and for how long (StackMine, section IV).
 *
 *   history.c        the stretches of all threads, as the inference tells them
 *   critical-path.c  what held up a thread at each instant of a span
 *   division.c       what ran in a span, among the contexts in which it ran
 *   graph.c          all that the waits of a span depend on (the paper's Figure 2)
 *   chain.c          critical paths of several spans → one chain that a person can read
 *   face.c           which function of a context names what is done there
 *   redistribution.c what holds up others, over whole lives
 *     actors.c         the threads at an instant
 *     held-sums.c      the sums
 *     vertices.c       which threads are alike
 *     knots.c          who waits for whom in circles
 *   symptom.c        which spans are looked into: slow calls, slow processes
 *   nested.c         which of these are part of others
 *   interest.c       symptoms → weighted stacks, for common/mine
 *
 * A history is of one recording, and grows with it: 24 bytes for each stretch, of which there are
 * about as many as stacks, and 16 for each wait. Contexts and functions are those of the inference.
 */
#ifndef ITP_WAIT_HISTORY_H
#define ITP_WAIT_HISTORY_H

#include <glib.h>
#include <stdbool.h>

#include "common/infer/stretch.h"

struct itp_history;

struct itp_history *itp_history_new(void);
void itp_history_free(struct itp_history *history);

/* Takes the next stretch, those of one thread in order. A thread that goes on in the same way, in
 * the same context, is in one stretch, unless it has ended a wait in between. */
void itp_history_add(struct itp_history *history, const struct itp_stretch *stretch);

/* Whether any wait was seen to be ended by a wakeup: without those nothing tells whom a thread
 * waited for. */
bool itp_history_has_wakeups(const struct itp_history *history);

/* How many of a timer's ticks found any thread running in this context, in no system call. */
uint64_t itp_history_ticks(const struct itp_history *history, uint32_t node);

/* All that is known of one thread. Weak. NULL for a thread that was never seen. */
struct itp_life;
const struct itp_life *itp_history_life(const struct itp_history *history, int32_t tid);

/* All of them (const struct itp_life *, weak), by thread. Free with g_ptr_array_unref(). */
GPtrArray *itp_history_lives(const struct itp_history *history);

int32_t itp_life_tid(const struct itp_life *life);
size_t itp_life_length(const struct itp_life *life);
struct itp_stretch itp_life_get(const struct itp_life *life, size_t i);
/* Index of the first stretch that ends after `time_ns`; the length where there is none. */
size_t itp_life_find(const struct itp_life *life, int64_t time_ns);

#endif
