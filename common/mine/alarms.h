/* SPDX-License-Identifier: MIT */
/*
 * What guards have told of late units, the JSON lines of `perf introperf guard --format jsonl`, as
 * a trace that is mined: each late unit is a symptom.
 *
 * Its stacks were taken in the course of it; what one shows is taken to have gone on since the one
 * before, and the last one until the unit ended. What such a unit usually takes does not count.
 */
#ifndef ITP_MINE_ALARMS_H
#define ITP_MINE_ALARMS_H

#include "common/mine/mining.h"

/* Whether it is a file that begins as a guard's lines do. Of a pipe nothing is read. */
bool itp_alarms_is_file(const char *path);

/* Adds the late units of `path` to the slow traces or to the good ones; a unit of which the end was
 * not told as far as it was. False with an error that says what is wrong with the file, of which
 * nothing is added then. */
bool itp_mining_add_alarms(struct itp_mining *mining, bool of_base, const char *path,
			   GError **error);

#endif
