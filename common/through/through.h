/* SPDX-License-Identifier: MIT */
/*
 * Requests through threads and processes: the paper's listener and workers as a unit of work, from
 * a request's arrival to its answer's departure (PerfGuard, section 3, Type II).
 *
 *   calls.c        what system calls do with descriptors
 *   descriptors.c  which side of a connection a descriptor stands for
 *   traffic.c    stack events → what went through which side, and who was woken by that
 *   connections.c        which two sides are those of one connection; fit.c: by their bytes
 *     queues.c       in which order connections are accepted
 *   brokers.c      who brings what another one waits for
 *   hops.c         in the order of time: who asks whom for whom
 *     workers.c      for whom a thread works; turns.c: by the order in which it acts
 *     jobs.c         what came through a broker
 *     gather.c       → requests, each with its hops
 *   naming.c       in which function a hop was
 *   routes.c     → requests through the same processes
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
