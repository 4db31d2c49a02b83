/* SPDX-License-Identifier: MIT */
/*
 * Symptoms that are part of others: a program whose parent waits for it is slow, and so is its
 * parent, but the time was lost once, and the parent's critical path says what the child did.
 */
#ifndef ITP_WAIT_NESTED_H
#define ITP_WAIT_NESTED_H

#include "common/wait/critical-path.h"

/* Takes each symptom out that is part of one that stays, and returns how many these are. It is part
 * of one that began before it, and was seen to, that waited for its thread meanwhile, and that for
 * more than half of its time was held up by the same thread as it was itself.
 *
 * So calls that wait one for the other at a lock stay, as each of them is late for itself: they
 * come in the order in which they began. And a program that was there before the recording is no
 * reason: it may have waited for anything.
 *
 * `symptoms` are struct itp_symptom, and keep their order. */
guint itp_symptoms_leave_out_parts(GArray *symptoms, const struct itp_history *history);

#endif
