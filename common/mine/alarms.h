/* SPDX-License-Identifier: MIT */
/*
 * Late units told by guards, the JSON lines of `perf introperf guard --format jsonl`, as a trace to
 * be mined: each late unit is a symptom.
 *
 * Stacks were taken in the course of the unit; a stack is taken to have gone on since the previous
 * one, and the last one until the unit's end. The usual time of such a unit does not count.
 */
#ifndef ITP_MINE_ALARMS_H
#define ITP_MINE_ALARMS_H

#include "common/mine/mining.h"

/* True for a file that begins as a guard's lines do. Of a pipe nothing is read. */
bool itp_alarms_is_file(const char *path);

/* Adds the late units of `path` to the slow traces or to the good ones; a unit without a reported
 * end as far as it went. False with an error about the file, of which nothing is added then. */
bool itp_mining_add_alarms(struct itp_mining *mining, bool of_base, const char *path,
			   GError **error);

#endif
