/* SPDX-License-Identifier: MIT */
/*
 * What one event costs on this machine.
 */
#ifndef ITP_PERF_COMMAND_CALIBRATION_H
#define ITP_PERF_COMMAND_CALIBRATION_H

#include <glib.h>
#include <stdbool.h>

#include "plugins/perf/command/overhead.h"

/* Records a loop of system calls of this thread for about a tenth of a second, with stacks of each
 * kind, and writes them to a temporary file, as perf does. The stack is deep enough that copies are
 * full. */
bool itp_calibration_run(struct itp_event_costs *ret_costs, GError **error);

#endif
