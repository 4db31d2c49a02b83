/* SPDX-License-Identifier: MIT */
/*
 * The calls of a recording → when threads had a request open, for the inference's demand.h.
 *
 * A request is open from when it was read from a descriptor that serves until something is written
 * to that, by whichever thread of the process: one may read requests and another one answer them.
 * Whoever answers has worked for it since it was read, or has waited for what it needs. A request
 * that is open when the recording ends has kept who has read it, in a process that answers.
 *
 * What is read and never answered, as orders from a pipe, has the thread that has read it worked on
 * until it may wait for more: until it reads there again, or waits for any event. Only what waits
 * in the function that has read it, or below, counts: a worker that reads something for a job waits
 * for the next job elsewhere.
 *
 * A process waits for an answer from when it has connected, or has written to where it was answered
 * before, until it reads from there.
 *
 * A process that listens, or that answers on a socket which it has bound itself, serves others.
 */
#ifndef ITP_UNIT_ASKED_H
#define ITP_UNIT_ASKED_H

#include "common/base/context-tree.h"
#include "common/base/function-table.h"
#include "common/infer/infer.h"

struct itp_asked;

/* All is weak; `infer` may be set later, before the first call. */
struct itp_asked *itp_asked_new(const struct itp_context_tree *tree,
				const struct itp_function_table *functions);
void itp_asked_free(struct itp_asked *asked);
void itp_asked_set_infer(struct itp_asked *asked, struct itp_infer *infer);

/* Takes the next call that has ended, in the order in which the inference tells them. */
void itp_asked_add(struct itp_asked *asked, const struct itp_instance *instance);

/* Takes a system call that is in no context, likewise. */
void itp_asked_add_unplaced(struct itp_asked *asked, const struct itp_instance *call,
			    uint32_t function);

#endif
