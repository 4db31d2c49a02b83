/* SPDX-License-Identifier: MIT */
/*
 * The rows of a file's unwind tables as steps (step.h).
 *
 * Steps are shared by all files: some hundreds are different. A table is sorted, its first row
 * begins at 0, its last row is of code without rules, as there is beyond. `index` has the number of
 * the first row in or behind each 256 bytes of code, and in the end the number of all rows, so that
 * a look-up compares a few rows.
 */
#ifndef ITP_UNWIND_STEP_TABLE_H
#define ITP_UNWIND_STEP_TABLE_H

#include "common/unwind/cfi.h"
#include "common/unwind/step.h"

/* Different steps kept; further steps are unknown. */
#define ITP_STEPS_MOST 8192

struct itp_steps;

struct itp_steps *itp_steps_new(void);
void itp_steps_free(struct itp_steps *steps);
guint itp_steps_count(const struct itp_steps *steps);
/* Valid until the next table is made. */
const struct itp_step *itp_steps_get(const struct itp_steps *steps, uint32_t number);

struct itp_step_table {
	/* Address of the file from which rows count. */
	uint64_t base;
	/* struct itp_step_row, and uint32_t. Owned by this. */
	GArray *rows;
	GArray *index;
};

/* Takes the step of the code from `begin` to `end`. */
typedef void itp_step_func(void *data, uint64_t begin, uint64_t end, const struct itp_step *step);

/* Tells steps of code from `begin` to `end`, for which the file has no rules, by other means than
 * its unwind tables, in the order of addresses. Code not told remains without rules. */
typedef void itp_step_gaps_func(void *gaps, uint64_t begin, uint64_t end, itp_step_func *tell,
				void *data);

/* NULL for a file without rules, of another architecture, or of more than 4 GiB of code.
 * `tell_gaps` may be NULL. */
struct itp_step_table *itp_step_table_new(struct itp_cfi *cfi, struct itp_steps *steps,
					  itp_step_gaps_func *tell_gaps, void *gaps);
void itp_step_table_free(struct itp_step_table *table);

/* The number of the step at `vaddr` of the file; a program in the kernel looks up alike. */
uint32_t itp_step_table_find(const struct itp_step_table *table, uint64_t vaddr);

#endif
