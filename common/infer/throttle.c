/* SPDX-License-Identifier: MIT */
/*
 * See throttle.h.
 */
#include "common/infer/throttle.h"

#include <string.h>

/* Frames searched: schedule() and __schedule() may lie behind. */
#define FRAMES_LOOKED_AT 4

static bool is_named(const struct itp_function_table *functions,
		     const struct itp_stack_event *event, size_t i, const char *name)
{
	const struct itp_function *function =
		itp_function_table_get(functions, event->frames[i].function);

	return function->layer == ITP_LAYER_KERNEL && strcmp(function->name, name) == 0;
}

bool itp_throttle_shows(const struct itp_function_table *functions,
			const struct itp_stack_event *event)
{
	const size_t count = event->frame_count;

	if (event->kind != ITP_EVENT_SWITCH_OUT || event->argument != 0) {
		return false;
	}
	for (size_t i = count; i > 1 && i + FRAMES_LOOKED_AT > count; i--) {
		if (is_named(functions, event, i - 1, "__cond_resched") &&
		    is_named(functions, event, i - 2, "task_work_run")) {
			return true;
		}
	}
	return false;
}

uint32_t itp_throttle_taker(struct itp_function_table *functions)
{
	return itp_function_table_intern_stand_in(functions, ITP_QUOTA_NAME, ITP_LAYER_KERNEL);
}
