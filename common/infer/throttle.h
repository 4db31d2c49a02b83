/* SPDX-License-Identifier: MIT */
/*
 * Threads that lost their CPU because their control group has used up its quota (cpu.max,
 * cpu.cfs_quota_us): nobody took it then, and the CPU may idle until the next period.
 *
 * The stack with which it leaves the CPU tells, in kernels that throttle a task on its way back to
 * user mode (since Linux 6.18): deferred work has taken it off its queue, and the kernel looks for
 * another task right behind this work. Older kernels throttle where the next task is chosen, which
 * no stack shows.
 */
#ifndef ITP_INFER_THROTTLE_H
#define ITP_INFER_THROTTLE_H

#include "common/base/function-table.h"
#include "common/base/stack-event.h"

/* True for `event`, a switch-out of a throttled thread that could go on as far as it knows. */
bool itp_throttle_shows(const struct itp_function_table *functions,
			const struct itp_stack_event *event);

/* Stand-in for the quota in a list of processes that had the CPU. */
uint32_t itp_throttle_taker(struct itp_function_table *functions);

#endif
