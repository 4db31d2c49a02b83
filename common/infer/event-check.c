/* SPDX-License-Identifier: MIT */
/*
 * See event-check.h.
 */
#include "common/infer/event-check.h"

#include "common/base/error.h"

/* A measurement of some 20 µs that took longer tells nothing; squares of a million of them fit. */
#define SPEED_MOST_NS UINT64_C(1000000)

/* True when the callee has the layer for its event: a system call for an enter event, a process at
 * a switch. ITP_FUNCTION_UNKNOWN is allowed everywhere. */
static bool has_right_callee(const struct itp_stack_event *event,
			     const struct itp_function_table *functions)
{
	enum itp_layer wanted = ITP_LAYER_SYSCALL;

	switch (event->kind) {
	case ITP_EVENT_SWITCH_OUT:
		wanted = ITP_LAYER_PROCESS;
		break;
	case ITP_EVENT_SYSCALL_ENTER:
	case ITP_EVENT_SYSCALL_EXIT:
	case ITP_EVENT_IN_CALL:
		break;
	default:
		/* Other events have no callee. */
		return true;
	}
	return event->callee == ITP_FUNCTION_UNKNOWN ||
	       itp_function_table_get(functions, event->callee)->layer == wanted;
}

int itp_event_check(const struct itp_stack_event *event, const struct itp_function_table *functions,
		    const struct itp_infer_counts *counts)
{
	uint32_t size = itp_function_table_size(functions);

	if (counts->events > 0 && event->time_ns < counts->end_ns) {
		return ITP_ERROR_TIME_ORDER;
	}
	if (event->frame_count > ITP_MAX_STACK_DEPTH) {
		return ITP_ERROR_LIMIT;
	}
	if (event->callee >= size) {
		return ITP_ERROR_UNKNOWN_ID;
	}
	if (!has_right_callee(event, functions)) {
		return ITP_ERROR_CALLEE;
	}
	for (size_t i = 0; i < event->frame_count; i++) {
		if (event->frames[i].function >= size) {
			return ITP_ERROR_UNKNOWN_ID;
		}
	}
	return ITP_OK;
}

bool itp_event_count_late(const struct itp_stack_event *event, struct itp_infer_counts *counts)
{
	const uint64_t count = event->argument > 0 ? (uint64_t)event->argument : 0;

	if (event->kind == ITP_EVENT_LATE) {
		counts->late_records += count;
	} else if (event->kind == ITP_EVENT_MISPLACED) {
		counts->misplaced_records += count;
	} else {
		return false;
	}
	return true;
}

bool itp_event_count_speed(const struct itp_stack_event *event, struct itp_infer_counts *counts)
{
	const uint64_t computed_ns = event->words.words[0];

	if (event->kind != ITP_EVENT_SPEED) {
		return false;
	}
	if (computed_ns > 0 && computed_ns <= SPEED_MOST_NS) {
		const struct itp_speed_sums one = {
			.count = 1,
			.meters = (uint32_t)event->argument,
			.computed_ns = computed_ns,
			.computed_ns2 = computed_ns * computed_ns,
		};

		itp_speed_sums_add(&counts->speeds, &one, 1);
	}
	return true;
}
