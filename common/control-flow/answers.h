/* SPDX-License-Identifier: MIT */
/*
 * Answers what the core asks about the code of functions (common/base/flow.h, design, rule 3),
 * from the files of their modules.
 *
 * Files are read when the first question about one of their functions is asked. The answer is "can
 * stay" for all functions whose code is not at hand.
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

/* The code of the functions with this id is in `file`, the build that is called `build_id`
 * ("" when that is not known). Said once for an id, before it is asked about. */
void itp_flow_answers_add(struct itp_flow_answers *answers, uint32_t function, const char *file,
			  const char *build_id);

/* What the core asks, of functions that were added. Weak: as long as the answers. Addresses are
 * those of the file. */
struct itp_flow itp_flow_answers_flow(struct itp_flow_answers *answers);

#endif
