/* SPDX-License-Identifier: MIT */
/*
 * Calls of a recording → times in which threads had a request open, for the inference's demand.h.
 *
 * A request is open from its read on a descriptor that serves until a write to the descriptor by
 * any thread of the process: one thread may read requests and another answer them. The answering
 * thread has worked for the request, or waited for its needs, since the read. Of a request still
 * open at the end of the recording, the reader had it open, in a process that answers.
 *
 * Orders, read and never answered, as from a pipe: the reading thread works on them until it may
 * wait for more, at its next read there or its next wait for any event. Only waits in the reading
 * function or below count: a worker that reads something for a job waits for the next job
 * elsewhere.
 *
 * Who has answered goes on with what was read until it reads there again, closes the descriptor, or
 * waits for any event, and nobody else has a turn until then: a server that sleeps between an
 * answer and its line in the log. Waits that other threads end may be for another job, and do not
 * count.
 *
 * A process waits for an answer from its connect, or from its write to a descriptor that has
 * answered before, until its read there.
 *
 * A process serves others when it accepts connections, or answers on a socket bound by itself; and
 * when it listens, until it asks somebody again and again itself: a program may listen for a server
 * that it starts, and be its client.
 */
#ifndef ITP_UNIT_ASKED_H
#define ITP_UNIT_ASKED_H

#include "common/base/context-tree.h"
#include "common/base/function-table.h"
#include "common/infer/infer.h"

struct itp_asked;

/* All arguments are weak; `infer` may be set later, before the first call. */
struct itp_asked *itp_asked_new(const struct itp_context_tree *tree,
				const struct itp_function_table *functions);
void itp_asked_free(struct itp_asked *asked);
void itp_asked_set_infer(struct itp_asked *asked, struct itp_infer *infer);

/* Takes the next ended call, in the order of the inference. */
void itp_asked_add(struct itp_asked *asked, const struct itp_instance *instance);

/* Takes a system call in no context, in the order of the inference. */
void itp_asked_add_unplaced(struct itp_asked *asked, const struct itp_instance *call,
			    uint32_t function);

#endif
