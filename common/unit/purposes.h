/* SPDX-License-Identifier: MIT */
/*
 * What waits of a context are for: for work, or for an answer to what the thread has asked for
 * while it works. Each wait that was seen votes.
 *
 * A wait for a descriptor is for whoever speaks first on it. A wait for any event is for what is
 * read behind it. A wait for a signal is for work when no request was open as it began. Where that
 * does not tell, who ended the wait does: what the thread itself set going is an answer.
 */
#ifndef ITP_UNIT_PURPOSES_H
#define ITP_UNIT_PURPOSES_H

#include "common/unit/halts.h"

/* From this part of its waits on a context waits for work: what most of them are for. An event loop
 * waits for both, and may have ten turns for one request, most of them for what it has asked
 * others. */
#define ITP_PURPOSE_PART 2
#define ITP_PURPOSE_EVENT_PART 10

enum itp_purpose {
	/* Worst first: the purpose that is more likely to begin a loop's units is greater. */
	ITP_PURPOSE_ANSWER = 0,
	ITP_PURPOSE_UNKNOWN,
	ITP_PURPOSE_WORK,
};

struct itp_purposes;

struct itp_purposes *itp_purposes_new(void);
void itp_purposes_free(struct itp_purposes *purposes);

/* Takes what a thread has come to. */
void itp_purposes_note(struct itp_purposes *purposes, const struct itp_halt *halt);

/* By all that was noted. *ret_part: how many of the context's waits were for work, from 0 to 1. */
enum itp_purpose itp_purposes_of(const struct itp_purposes *purposes, uint32_t node,
				 double *ret_part);

#endif
