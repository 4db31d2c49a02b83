/* SPDX-License-Identifier: MIT */
/*
 * Threads throttled off their CPU, as their control group has used up its quota (cpu.max,
 * cpu.cfs_quota_us): no thread took the CPU, which may idle until the next period.
 *
 * Kernels since Linux 6.18 throttle a task on its way back to user mode. The stack at the switch
 * shows deferred work that takes the task off its queue, with the search for another task right
 * behind. Older kernels throttle while choosing the next task, which no stack shows.
 */
#ifndef ITP_INFER_THROTTLE_H
#define ITP_INFER_THROTTLE_H

#include "common/base/function-table.h"
#include "common/base/stack-event.h"

/* True when `event` is the switch-out of a throttled thread, runnable as far as the event tells. */
bool itp_throttle_shows(const struct itp_function_table *functions,
			const struct itp_stack_event *event);

/* Function that stands for the quota among processes that had the CPU: its id. */
uint32_t itp_throttle_taker(struct itp_function_table *functions);

#endif
