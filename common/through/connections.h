/* SPDX-License-Identifier: MIT */
/*
 * Pairs of sides, the two ends of a connection.
 *
 * Nothing in a recording tells them. Wakeups propose: a thread that sends through a side wakes
 * another, which then takes from a side. Counts of bytes dispose: a side cannot have taken more
 * bytes than its peer sent at any time, in both directions; and where it took less than it had room
 * for, it has mostly taken all. Connections made during the recording are also proposed by time:
 * one side was connected before the other was accepted, and both live at the same time.
 *
 * A side with several candidates is paired with none of them.
 */
#ifndef ITP_THROUGH_CONNECTIONS_H
#define ITP_THROUGH_CONNECTIONS_H

#include "common/through/pairs.h"

void itp_connections_find(struct itp_connections *pairs, const struct itp_traffic *traffic);
void itp_connections_release(struct itp_connections *pairs);

#endif
