/* SPDX-License-Identifier: MIT */
/*
 * Traffic and pairs → requests, each with its hops.
 *
 * A hop is a thread's work for a request, from the bytes it takes to the last ones it answers. It
 * asks others by bytes sent meanwhile through other sides; their hops are its children. A process
 * that sends without having taken anything before, and takes an answer, is the first hop of a
 * request, as a client is.
 *
 * The hop of a thread's work is told by its last take (vPath, USENIX ATC 2009), as long as it has
 * taken nothing else since that it has not acted upon: an event loop may take from several before
 * it acts on the first. An answer's side tells the hop: a worker that took its job from a queue is
 * known by its answer, and with it everything it had asked before (BorderPatrol, EuroSys 2008).
 */
#ifndef ITP_THROUGH_HOPS_H
#define ITP_THROUGH_HOPS_H

#include "common/through/hop.h"

void itp_hops_find(struct itp_hops *hops, const struct itp_traffic *traffic,
		   const struct itp_connections *pairs);
void itp_hops_release(struct itp_hops *hops);

/* Of the request with the first hop `first`: the index behind its last one, its end, and the reason
 * why it was not followed to its end. */
guint itp_hops_behind(const struct itp_hops *hops, guint first);
int64_t itp_hops_end_ns(const struct itp_hops *hops, guint first);
enum itp_hop_doubt itp_hops_doubt(const struct itp_hops *hops, guint first);

#endif
