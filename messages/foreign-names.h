/* SPDX-License-Identifier: MIT */
/*
 * Names for single addresses of a foreign trace, and warnings about missing names.
 *
 * Private to foreign.c.
 */
#ifndef ITP_MESSAGES_FOREIGN_NAMES_H
#define ITP_MESSAGES_FOREIGN_NAMES_H

#include "messages/foreign-memory.h"

/* The function at `address` in the kernel or in the process of thread `tid`; `is_return`: the
 * function before a return address. NULL, and counted, with nothing known there. Weak, in
 * `functions`, the memory's. */
const struct itp_function *itp_foreign_names_find(struct itp_foreign_memory *memory,
						  const struct itp_function_table *functions,
						  int32_t tid, uint64_t address, bool is_return);

/* Warns on standard error about missing names, on behalf of `component`. */
void itp_foreign_names_warn(const struct itp_foreign_memory *memory, const char *component,
			    const char *trace_name);

#endif
