/* SPDX-License-Identifier: MIT */
/*
 * Code of files in a process, found out by asking perf.
 *
 * perf follows mappings but does not hand them over. Each page of code met is asked for, and mapped
 * like a recorded one. A later answer must equal the known one: a different one means that other
 * code has taken the place, and the page is mapped anew. Where system calls are recorded, only
 * frames of a chain are asked for that the thread's last chain did not have: a thread cannot
 * replace code that it runs, and system calls that replace code have chains of their own. Where
 * their returns are seen, an address is asked for once until the next of them. Should one be missed
 * (a loss, or perf was asked for a part of the recording), the first answer that another file has
 * taken a page's place makes all be asked for again.
 */
#ifndef ITP_PERF_DLFILTER_CODE_PAGES_H
#define ITP_PERF_DLFILTER_CODE_PAGES_H

#include <stddef.h>

#include "common/stacks/task.h"
#include "common/symbol/symbolizer.h"

struct itp_code_pages;

/* Place of an address by perf. All weak, and only needed until the next question. */
struct itp_code_place {
	const char *path;
	/* Of the address in the file at `path`. */
	uint64_t offset;
	/* Build id, NULL where perf does not tell. */
	const uint8_t *build_id;
	size_t build_id_size;
	/* Answers for this process, also that nothing is known, hold until a system call changes
	 * its mappings, and such calls are recognized. */
	bool is_lasting;
};

/* Asks perf for `address`, of the entry `i` of the visited chain; false when it knows nothing, or
 * the address is the kernel's. */
typedef bool (*itp_code_ask)(void *data, size_t i, uint64_t address,
			     struct itp_code_place *ret_place);

/* `symbolizer` is weak and must outlive the result. */
struct itp_code_pages *itp_code_pages_new(itp_code_ask ask, struct itp_symbolizer *symbolizer);
void itp_code_pages_free(struct itp_code_pages *pages);

/* System calls are recorded. Until this is called, all frames are asked for. */
void itp_code_pages_trust(struct itp_code_pages *pages);

/* A system call of the process is over that can have changed its mappings. From the first one on,
 * answers are remembered: changes are seen. */
void itp_code_pages_change(struct itp_code_pages *pages, int32_t pid);

/* Makes sure that the addresses of `chain`, the user's part of a chain, leaf first, are mapped in
 * the process of `task`, whose sample perf is handing over; `data` goes to the asking function. */
void itp_code_pages_visit(struct itp_code_pages *pages, const struct itp_task *task,
			  const uint64_t *chain, size_t count, void *data);

/* The thread is over, or does something else: all of its next chain is asked for, and so are
 * remembered addresses of its process. */
void itp_code_pages_end(struct itp_code_pages *pages, int32_t tid);

#endif
