/* SPDX-License-Identifier: MIT */
/*
 * Names for functions missing in a stack followed by frame pointers, from the code of its
 * neighbours.
 *
 *   completion.c  places without a function that a stack lacks, and those with one
 *   hole.c        candidates for a missing function, by the call below it
 *   callers.c     candidates by the frame above, and the functions between
 *   files.c       code of the files mapped by processes, and references in it
 *
 * Code without a frame pointer leaves the register to the last function below that keeps one: the
 * chain begins, or goes on, with a return address into this function's caller, and the function
 * itself is missing. The call in front of the return address tells the called function: the missing
 * one, or another that has ended in a jump to it. Of several candidates, those remain whose code
 * calls the frame above the hole; if several remain, a frame says so.
 *
 *   a: call b        b keeps a frame pointer, c none: in c the stack reads "a, c".
 *
 * Between it and the next frame others without a frame pointer may be missing. They are put in as
 * far as the ways through the code agree; where the ways differ, a frame says so here, too.
 * Positions in inserted functions are unknown.
 *
 * Nothing is put in where code or unwind rules are not at hand, or not the recorded ones; at the
 * edge of a signal handler; for a function without a name.
 */
#ifndef ITP_COMPLETION_H
#define ITP_COMPLETION_H

#include "common/symbol/symbolizer.h"

/* Places remembered; when there are more, all are forgotten. With its data a place takes about 100
 * bytes: 6.4 MB. For each file whose functions may call a frame above a hole, 16 bytes are noted
 * for about every 50 bytes of its code, at most 64 MB. */
#define ITP_COMPLETION_MAX_PLACES 65536

/* A frame of the user's part of a stack. */
struct itp_completion_frame {
	/* Address in memory, and the distance to subtract for the address in the file. */
	uint64_t address;
	uint64_t slide;
	uint32_t function;
	/* Thread stands at the address, rather than in the call before it. */
	bool is_exact;
};

struct itp_completion;

/* `functions` is weak, and the table of the symbolizer whose address spaces are asked about. */
struct itp_completion *itp_completion_new(struct itp_function_table *functions);
void itp_completion_free(struct itp_completion *completion);

/* Functions missing between two neighbours in the chain of a process with the memory `space`, root
 * first: *ret_functions, until the next call. Returns their number; 0 when there are none, or none
 * can be told. */
size_t itp_completion_find(struct itp_completion *completion, struct itp_address_space *space,
			   const struct itp_completion_frame *caller,
			   const struct itp_completion_frame *callee,
			   const uint32_t **ret_functions);

#endif
