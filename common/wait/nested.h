/* SPDX-License-Identifier: MIT */
/*
 * Symptoms that are part of others: if a parent waits for a slow program, both are slow, but the
 * time was lost once, and the parent's critical path contains the child's doings.
 */
#ifndef ITP_WAIT_NESTED_H
#define ITP_WAIT_NESTED_H

#include "common/wait/critical-path.h"

/* Takes out each symptom that is part of another that stays, and returns the number of symptoms
 * taken out. A symptom is part of another if the other began before it, was seen to begin, waited
 * for its thread meanwhile, and was held up by the same thread for more than half of the symptom's
 * time.
 *
 * Calls that wait for each other at a lock thus stay, as each is late for itself: they come in the
 * order of their begins. A program older than the recording does not take out any: it may have
 * waited for anything.
 *
 * `symptoms` are struct itp_symptom, and keep their order. */
guint itp_symptoms_leave_out_parts(GArray *symptoms, const struct itp_history *history);

#endif
