/* SPDX-License-Identifier: MIT */
/*
 * Place in a stack without a function, and its candidates: functions possibly called there, whose
 * code calls the frame above the hole.
 */
#ifndef ITP_COMPLETION_HOLE_H
#define ITP_COMPLETION_HOLE_H

#include "common/completion/callers.h"
#include "common/completion/files.h"

/* Most functions missing between two frames. */
#define ITP_COMPLETION_MAX_MISSING 5

/* All weak. */
struct itp_hole {
	struct itp_code_files *files;
	const struct itp_address_space *space;
	/* Frame below, and the return address in it. */
	struct itp_code_file *caller;
	uint64_t site;
	/* Frame above, and a place in it. */
	struct itp_code_file *callee;
	uint64_t place;
	/* Finds the callers of a function in the process. */
	const struct itp_callers *(*find_callers)(void *data, struct itp_code_function function);
	void *data;
};

/* Functions between two frames, root first. */
struct itp_missing {
	uint32_t count;
	uint32_t functions[ITP_COMPLETION_MAX_MISSING];
};

/* Fills the hole. The first function has a frame pointer, or stands for several: "one of 2: a, b".
 * None when nothing can be told. */
void itp_hole_fill(const struct itp_hole *hole, struct itp_function_table *functions,
		   struct itp_missing *ret_missing);

#endif
