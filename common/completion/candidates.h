/* SPDX-License-Identifier: MIT */
/*
 * Which function may be at work where a call was made: the one that was called, or another that
 * this one has ended in a jump to.
 *
 * It is looked for because it keeps a frame pointer, on which the stack below it was found, and is
 * none of those that the stack shows.
 */
#ifndef ITP_COMPLETION_CANDIDATES_H
#define ITP_COMPLETION_CANDIDATES_H

#include "common/completion/files.h"

/* More than that are not told apart. */
#define ITP_MAX_CANDIDATES 16

struct itp_candidate {
	/* Weak. */
	struct itp_code_file *file;
	/* Where the function begins. */
	uint64_t vaddr;
	/* The function calls something while its frame lies at the frame pointer. */
	bool has_frame;
};

struct itp_candidates {
	struct itp_candidate list[ITP_MAX_CANDIDATES];
	guint count;
	/* There may be others, of which nothing is known; and those that are called through
	 * pointers. */
	bool is_open;
	bool is_by_pointer;
};

/* For the call in `file` behind which `site` is, made by a process with the memory `space`. */
void itp_candidates_find(struct itp_candidates *ret_candidates, struct itp_code_files *files,
			 const struct itp_address_space *space, struct itp_code_file *file,
			 uint64_t site);

#endif
