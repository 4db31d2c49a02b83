/* SPDX-License-Identifier: MIT */
/*
 * A check of whole stack events before the inference takes them: no maker, a reader of recordings,
 * a message or a program, is believed. Fields wrong by themselves, such as a kind that does not
 * exist, are refused by whoever makes the event.
 */
#ifndef ITP_INFER_EVENT_CHECK_H
#define ITP_INFER_EVENT_CHECK_H

#include "common/base/function-table.h"
#include "common/base/stack-event.h"
#include "common/infer/infer-options.h"

/* Returns ITP_OK, or ITP_ERROR_TIME_ORDER when the event is older than the last one of `counts`,
 * ITP_ERROR_LIMIT when its stack is too deep, ITP_ERROR_UNKNOWN_ID when it names a function missing
 * in `functions`, ITP_ERROR_CALLEE when its callee is of a wrong layer. */
int itp_event_check(const struct itp_stack_event *event, const struct itp_function_table *functions,
		    const struct itp_infer_counts *counts);

/* Adds the records that a LATE or MISPLACED event tells of. False for any other event. */
bool itp_event_count_late(const struct itp_stack_event *event, struct itp_infer_counts *counts);

/* Adds a SPEED event's numbers, if they are a measurement. False for any other event. */
bool itp_event_count_speed(const struct itp_stack_event *event, struct itp_infer_counts *counts);

#endif
