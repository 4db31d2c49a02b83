/* SPDX-License-Identifier: MIT */
/*
 * Answers what the core asks about the code of functions (common/base/flow.h, design, rule 3), from
 * the files of their modules.
 *
 * Files are read at the first question about a function of theirs. The answer is "can stay" for all
 * functions without code at hand.
 */
#ifndef ITP_CONTROL_FLOW_ANSWERS_H
#define ITP_CONTROL_FLOW_ANSWERS_H

#include "common/base/flow.h"
#include "common/base/function-table.h"
#include "common/base/stack-event.h"

struct itp_flow_answers;

/* `functions` is weak and must outlive the result. */
struct itp_flow_answers *itp_flow_answers_new(struct itp_function_table *functions);
void itp_flow_answers_free(struct itp_flow_answers *answers);

/* File with the code of a function, the build `build_id` ("" when unknown), in place of the one in
 * the table. Said once for a function, before any question about it. */
void itp_flow_answers_add(struct itp_flow_answers *answers, uint32_t function, const char *file,
			  const char *build_id);

/* Questions of the core. Weak: as long as the answers. Addresses are those of the file. */
struct itp_flow itp_flow_answers_flow(struct itp_flow_answers *answers);

/* Questions to answers of their own, which live until the flow is closed. `functions` is as
 * above. */
struct itp_flow itp_flow_answers_open(struct itp_function_table *functions);

#endif
