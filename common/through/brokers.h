/* SPDX-License-Identifier: MIT */
/*
 * Who brings what another one waits for: a broker answers somebody who has asked long ago, as for a
 * job, when somebody else has sent it one.
 *
 * Nothing says that the one is the cause of the other but that it is always so: a process that
 * answers those who wait only in turns in which it has taken something else, without asking anybody
 * itself, is a broker. One that also does so when nothing was taken, as when a time is over, has
 * causes of its own; the only exception is one answer, of always the same size, as of a time-out.
 * Which of several that it took in one turn was the cause, tells the order in which it answers.
 *
 * A process may answer as soon as there is room, one turn later than it takes, as beanstalkd does:
 * epoll_wait() comes back at once, and it writes. Where one always does so, its turns last until it
 * sleeps.
 */
#ifndef ITP_THROUGH_BROKERS_H
#define ITP_THROUGH_BROKERS_H

#include "common/through/traffic.h"

/* No move, or none that is known. */
#define ITP_MOVE_NONE G_MAXUINT

struct itp_brokers {
	/* By index of the move that answers one who waited, from 1 on: index of the one that took
	 * what was the cause; ITP_MOVE_NONE. Owned by this. */
	GHashTable *causes;
};

/* `order` has the indices of all moves in the order of time. */
void itp_brokers_find(struct itp_brokers *brokers, const struct itp_traffic *traffic,
		      const GArray *order);
void itp_brokers_release(struct itp_brokers *brokers);

/* Whether the move answers one who waited for what another one brings, and which move took that:
 * ITP_MOVE_NONE where it may be one of several. */
bool itp_brokers_hands(const struct itp_brokers *brokers, guint move, guint *ret_cause);

#endif
