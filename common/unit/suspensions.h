/* SPDX-License-Identifier: MIT */
/*
 * Units whose thread waits for any event while their request is open: for what this needs, as the
 * answer of a database, or for the next request.
 */
#ifndef ITP_UNIT_SUSPENSIONS_H
#define ITP_UNIT_SUSPENSIONS_H

#include "common/unit/turns.h"

/* The thread waits so. */
void itp_turns_suspend(const struct itp_turns *turns, struct itp_open_unit *open,
		       const struct itp_halt *halt);

/* Another request is read before the one that is open was answered. Which of them the thread works
 * for is not known: each is a unit as long as the thread does not wait. */
void itp_turns_overtake(struct itp_turns *turns, struct itp_open_unit *open);

#endif
