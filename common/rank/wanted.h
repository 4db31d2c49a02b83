/* SPDX-License-Identifier: MIT */
/*
 * Waits for work that other threads lose time by.
 *
 * A thread of a service waits for work, and idle.c knows the wait by its system call. The same call
 * waits for the answer of a service further on while a client waits for the thread, directly or
 * through others: then the wait is no idle one. A wakeup tells: the client's wait was ended by the
 * thread, which had waited meanwhile (role ITP_WAKER_WANTED, the time of both together).
 *
 * A client that waits for work itself loses nothing. So does a thread that waits for such a client.
 * Whether a wait is wanted therefore depends on the waits of others, and is decided for all of them
 * together, from the waits on that are not idle by their calls.
 */
#ifndef ITP_RANK_WANTED_H
#define ITP_RANK_WANTED_H

#include "common/rank/side.h"

/* Clears state->is_idle of each wait for work, a system call in `waits` (uint32_t), that other
 * threads with something to do have waited for during most of its time, in the suspect or in the
 * base. The profiles hold all runs of their workloads; `base` may be NULL. */
void itp_wanted_find(struct itp_rank_state *state, const struct itp_profile *suspect,
		     const struct itp_profile *base, const GArray *waits);

#endif
