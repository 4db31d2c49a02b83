/* SPDX-License-Identifier: MIT */
/*
 * A stack event as a whole, before the inference takes it: whoever hands it over, a reader of
 * recordings, a message or a program, is not believed. Fields that are wrong by themselves, such as
 * a kind that does not exist, are for whoever made the event of something else.
 */
#ifndef ITP_INFER_EVENT_CHECK_H
#define ITP_INFER_EVENT_CHECK_H

#include "common/base/function-table.h"
#include "common/base/stack-event.h"
#include "common/infer/infer.h"

/* Returns ITP_OK, or ITP_ERROR_TIME_ORDER when the event is older than the last one of `counts`,
 * ITP_ERROR_LIMIT when its stack is too deep, ITP_ERROR_UNKNOWN_ID when `functions` lacks one that
 * it names, ITP_ERROR_CALLEE when its callee is of a wrong layer. */
int itp_event_check(const struct itp_stack_event *event, const struct itp_function_table *functions,
		    const struct itp_infer_counts *counts);

/* Adds the records that a LATE or MISPLACED event tells of. False for any other event. */
bool itp_event_count_late(const struct itp_stack_event *event, struct itp_infer_counts *counts);

/* Adds what a SPEED event tells, unless that is no measurement. False for any other event. */
bool itp_event_count_speed(const struct itp_stack_event *event, struct itp_infer_counts *counts);

#endif
