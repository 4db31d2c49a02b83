/* SPDX-License-Identifier: MIT */
/*
 * Rests: times between windows in which nobody watches system calls (common/infer/window.h). A unit
 * with a part in a rest is not known: its answer, or the next request, may have been there.
 */
#ifndef ITP_UNIT_RESTS_H
#define ITP_UNIT_RESTS_H

#include <stdbool.h>
#include <stdint.h>

struct itp_rests;

struct itp_rests *itp_rests_new(void);
void itp_rests_free(struct itp_rests *rests);

/* System calls are watched from `time_ns` on, or no longer, in the order of time. */
void itp_rests_watch(struct itp_rests *rests, bool is_watched, int64_t time_ns);

/* True when a rest lies, even in part, between the two times, none later than the latest change. */
bool itp_rests_meet(const struct itp_rests *rests, int64_t begin_ns, int64_t end_ns);

#endif
