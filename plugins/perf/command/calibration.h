/* SPDX-License-Identifier: MIT */
/*
 * What one event costs on this machine.
 */
#ifndef ITP_PERF_COMMAND_CALIBRATION_H
#define ITP_PERF_COMMAND_CALIBRATION_H

#include <glib.h>
#include <stdbool.h>

#include "plugins/perf/command/overhead.h"

/* Records this thread for about half a second, while it makes system calls and while it computes,
 * with stacks of each kind, and writes them to a temporary file, as perf does. The stack is deep
 * enough that copies are full. */
bool itp_calibration_run(struct itp_event_costs *ret_costs, GError **error);

#endif
