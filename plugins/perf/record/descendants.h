/* SPDX-License-Identifier: MIT */
/*
 * Existing descendants of the processes to be recorded: perf takes only later ones. nginx's master,
 * for example, does nothing, and its workers are of interest.
 */
#ifndef ITP_PERF_RECORD_DESCENDANTS_H
#define ITP_PERF_RECORD_DESCENDANTS_H

#include "plugins/perf/record/target.h"

/* Adds to the processes of `target` their descendants that have run for a second, but for this
 * program and its ancestors; nothing for a user's processes, threads and the machine. Returns a
 * note, "813 and 814, which it has made, are recorded too", or NULL when there are none. Owned by
 * the caller. */
char *itp_target_take_descendants(struct itp_target *target);

#endif
