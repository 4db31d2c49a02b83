/* SPDX-License-Identifier: MIT */
/*
 * Purposes of waits, by context: work, or the answer to a question asked by the thread at its work.
 * Each wait votes.
 *
 * A wait for a descriptor is for the side that speaks first on it. A wait for any event is for the
 * bytes read behind the wait. A wait for a signal is for work when no request was open at its
 * begin. Otherwise the origin of its end tells: consequences of the thread's own acts are answers.
 */
#ifndef ITP_UNIT_PURPOSES_H
#define ITP_UNIT_PURPOSES_H

#include "common/unit/halts.h"

/* Least part of a context's waits for work that make it wait for work: half; for an event loop a
 * tenth, as it waits for both, and may have ten turns for one request, most of them for answers of
 * others. */
#define ITP_PURPOSE_PART 2
#define ITP_PURPOSE_EVENT_PART 10

enum itp_purpose {
	/* Worst first: the purpose likelier to begin a loop's units is greater. */
	ITP_PURPOSE_ANSWER = 0,
	ITP_PURPOSE_UNKNOWN,
	ITP_PURPOSE_WORK,
};

struct itp_purposes;

struct itp_purposes *itp_purposes_new(void);
void itp_purposes_free(struct itp_purposes *purposes);

/* Takes the next halt of a thread. */
void itp_purposes_note(struct itp_purposes *purposes, const struct itp_halt *halt);

/* Purpose by all waits noted. *ret_part: part of the context's waits for work, from 0 to 1. */
enum itp_purpose itp_purposes_of(const struct itp_purposes *purposes, uint32_t node,
				 double *ret_part);

#endif
