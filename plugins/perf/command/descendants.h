/* SPDX-License-Identifier: MIT */
/*
 * The processes that those to be recorded have made before: perf takes only what they make from now
 * on. nginx's master, for example, does nothing, and its workers are what anybody asks about.
 */
#ifndef ITP_PERF_COMMAND_DESCENDANTS_H
#define ITP_PERF_COMMAND_DESCENDANTS_H

#include "plugins/perf/command/target.h"

/* Adds to the processes of `target` their children, those of these, and so on, that have run for a
 * second, but for this program and whoever has started it; nothing of a user's processes, of
 * threads and of the machine. Returns what to say of it, "813 and 814, which it has made, are
 * recorded too", or NULL when there are none. Owned by the caller. */
char *itp_target_take_descendants(struct itp_target *target);

#endif
