/* SPDX-License-Identifier: MIT */
/*
 * Programs that begin later than the recorder (--wait-for NAME).
 */
#ifndef ITP_PERF_COMMAND_AWAITED_H
#define ITP_PERF_COMMAND_AWAITED_H

#include "plugins/perf/record/target.h"

/* Waits until a process of the program `target->awaited` exists, and sets `target->pids` to all
 * that do. Says what it waits for unless `is_quiet`. False when Ctrl-C ended the waiting. */
bool itp_target_await(struct itp_target *target, bool is_quiet);

#endif
