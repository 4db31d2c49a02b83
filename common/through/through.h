/* SPDX-License-Identifier: MIT */
/*
 * Requests through threads and processes: the paper's listener and workers as a unit of work, from
 * a request's arrival to its answer's departure (PerfGuard, section 3, Type II).
 *
 *   through.c        all of it: stack events in, requests and routes out
 *   traffic.c        stack events → moves through sides of connections
 *     descriptors.c    sides behind descriptors
 *   connections.c    pairs of sides: proposed by wakeups and by time, and settled
 *     search.c         candidates and their evidence
 *     fit.c            says no to pairs that the counts of bytes do not allow
 *     queues.c         says which, where several are left: by the order of acceptance
 *   brokers.c        causes of answers to sides that waited
 *   hops.c           hops, from the traffic in the order of time
 *     work.c           hops, threads and sides as known on the way
 *     workers.c        the hop of each thread's work
 *     turns.c          the order in which an event loop acts
 *     jobs.c           jobs that go through a broker
 *     gather.c         hops → requests
 *   naming.c         functions in which hops spent their time
 *   routes.c         requests through the same processes
 *
 * Nothing is guessed: what could be of several requests is of none of them, and they are told as
 * not followed, with the reason.
 */
#ifndef ITP_THROUGH_THROUGH_H
#define ITP_THROUGH_THROUGH_H

#include "common/through/routes.h"

struct itp_through;

/* `functions` is weak, and the functions of the events are in it. */
struct itp_through *itp_through_new(struct itp_function_table *functions);
void itp_through_free(struct itp_through *through);

/* Takes the next event, in the order of time. */
void itp_through_add(struct itp_through *through, const struct itp_stack_event *event);

/* Finds the requests, once there are no more events. `recall` is weak, and has a history. */
void itp_through_finish(struct itp_through *through, const struct itp_recall *recall);

/* Findings. All weak; the routes are struct itp_route. */
const struct itp_traffic *itp_through_traffic(const struct itp_through *through);
const struct itp_connections *itp_through_connections(const struct itp_through *through);
const struct itp_hops *itp_through_hops(const struct itp_through *through);
const GArray *itp_through_routes(const struct itp_through *through);
const struct itp_recall *itp_through_recall(const struct itp_through *through);

#endif
