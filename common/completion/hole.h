/* SPDX-License-Identifier: MIT */
/*
 * A place in a stack where a function is missing, and which one it is: one of those that may have
 * been called there, and that by their code call what stands above the hole.
 */
#ifndef ITP_COMPLETION_HOLE_H
#define ITP_COMPLETION_HOLE_H

#include "common/completion/callers.h"
#include "common/completion/completion.h"
#include "common/completion/files.h"

/* All weak. */
struct itp_hole {
	struct itp_code_files *files;
	const struct itp_address_space *space;
	/* What stands below, and the return address in it. */
	struct itp_code_file *caller;
	uint64_t site;
	/* What stands above, and a place in it. */
	struct itp_code_file *callee;
	uint64_t place;
	/* Tells the callers of a function in this process. */
	const struct itp_callers *(*find_callers)(void *data, struct itp_code_function function);
	void *data;
};

/* Functions between two frames, root first. */
struct itp_missing {
	uint32_t count;
	uint32_t functions[ITP_COMPLETION_MAX_MISSING];
};

/* The first is one that keeps a frame pointer, or stands for several: "one of 2: a, b". None when
 * nothing can be told. */
void itp_hole_fill(const struct itp_hole *hole, struct itp_function_table *functions,
		   struct itp_missing *ret_missing);

#endif
