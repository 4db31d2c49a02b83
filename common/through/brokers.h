/* SPDX-License-Identifier: MIT */
/*
 * Causes of answers to waiting sides: a broker answers a request of long ago, as for a job, when
 * somebody else has sent it one.
 *
 * Cause and effect are only known by their constancy: a process is a broker if it answers waiting
 * sides only in turns in which it has taken something else, without asking anybody itself. A
 * process that also does so without a take, as when a time is over, has causes of its own; the only
 * exception is an answer of always the same size, as of a time-out. Among several takes of a turn,
 * the order of the answers tells the cause.
 *
 * A process may answer as soon as there is room, a turn later than it takes, as beanstalkd does:
 * epoll_wait() comes back at once, and it writes. Turns of a process that always does so last until
 * it sleeps.
 */
#ifndef ITP_THROUGH_BROKERS_H
#define ITP_THROUGH_BROKERS_H

#include "common/through/traffic.h"

/* No move, or an unknown one. */
#define ITP_MOVE_NONE G_MAXUINT

struct itp_brokers {
	/* Take behind an answer to a waiting side, by index of the answer's move, from 1 on;
	 * ITP_MOVE_NONE. Owned by this. */
	GHashTable *causes;
};

/* `order` has the indices of all moves in the order of time. */
void itp_brokers_find(struct itp_brokers *brokers, const struct itp_traffic *traffic,
		      const GArray *order);
void itp_brokers_release(struct itp_brokers *brokers);

/* True when the move answers a side that waited for another's bytes; *ret_cause is the move that
 * took the bytes: ITP_MOVE_NONE when several are possible. */
bool itp_brokers_hands(const struct itp_brokers *brokers, guint move, guint *ret_cause);

#endif
