/* SPDX-License-Identifier: MIT */
/*
 * Which file's code lies where in a process, found out by asking perf.
 *
 * perf follows mappings but does not hand them to a dlfilter. So each page of code that is met is
 * asked for, and mapped like a recorded one. Perf's answer must still be the one that is known:
 * where it is not, other code has taken the place, and the page is mapped anew. Where system calls
 * are recorded, only those frames of a chain are asked for that the thread's last chain did not
 * have: a thread cannot replace code that it runs, and the system calls that replace code have
 * chains of their own.
 */
#ifndef ITP_PERF_DLFILTER_CODE_PAGES_H
#define ITP_PERF_DLFILTER_CODE_PAGES_H

#include <stddef.h>

#include "common/perf-data/task.h"
#include "common/symbol/symbolizer.h"
#include "plugins/perf/dlfilter/dlfilter-abi.h"

struct itp_code_pages;

/* All are weak and must outlive the result. */
struct itp_code_pages *itp_code_pages_new(const struct perf_dlfilter_fns *perf,
					  struct itp_symbolizer *symbolizer);
void itp_code_pages_free(struct itp_code_pages *pages);

/* System calls are recorded. Until this is called, all frames are asked for. */
void itp_code_pages_trust(struct itp_code_pages *pages);

/* Makes sure that the addresses of `chain`, the user's part of a chain, leaf first, are mapped in
 * the process of `task`, whose sample perf is handing over under `context`. */
void itp_code_pages_visit(struct itp_code_pages *pages, const struct itp_task *task,
			  const uint64_t *chain, size_t count, void *context);

/* The thread is over, or does something else: all of its next chain is asked for. */
void itp_code_pages_end(struct itp_code_pages *pages, int32_t tid);

#endif
