/* SPDX-License-Identifier: MIT */
/*
 * Answers what the core asks about the code of functions (common/infer/flow.h, design, rule 3),
 * from the files of their modules.
 *
 * Files are read when the first question about one of their functions is asked. The answer is "can
 * stay" for all functions whose code is not at hand.
 */
#ifndef ITP_SYMBOL_CODE_H
#define ITP_SYMBOL_CODE_H

#include "common/infer/flow.h"
#include "common/infer/function-table.h"

struct itp_code;

/* `functions` is weak and must outlive the result. */
struct itp_code *itp_code_new(struct itp_function_table *functions);
void itp_code_free(struct itp_code *code);

/* The code of the functions with this id is in `file`, the build that is called `build_id`
 * ("" when that is not known). Said once for an id, before it is asked about. */
void itp_code_add(struct itp_code *code, uint32_t function, const char *file, const char *build_id);

/* What the core asks; `data` is the struct itp_code. Addresses are those of the file. */
bool itp_code_can_stay(void *data, const struct itp_flow_step *step);
bool itp_code_is_frameless(void *data, uint32_t function, uint64_t address);

#endif
