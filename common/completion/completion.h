/* SPDX-License-Identifier: MIT */
/*
 * Names the functions that a stack followed by frame pointers lacks, from the code of those that it
 * has.
 *
 *   completion.c   whether a function is missing, and what was found out about such places
 *   hole.c         which function it is: those that it can be, by the call below it
 *   callers.c      and by what stands above it; what lies between the two
 *   files.c        the code of the files that processes have mapped, and what refers to it
 *
 * Code that keeps no frame pointer leaves the frame pointer to the last function below it that
 * does: the chain begins with, or goes on with, the return address of that one, which itself is
 * missing. The call in front of the return address tells which function was called there. It is the
 * missing one, or has ended in a jump to it. Where it can be one of several, those remain that by
 * their code call what stands above the hole; if there are several of these, a frame says so.
 *
 *   a: call b        b keeps a frame pointer, c none: in c the stack reads "a, c".
 *
 * Between that and the next one others may be missing that keep no frame pointer. They are put in
 * as far as the ways through the code agree; where they do not, a frame says so here, too. Where
 * functions that are put in go on is not known.
 *
 * Nothing is put in where code or unwind rules are not at hand, or are not those that were
 * recorded; at the edge of a signal handler; where the function has no name.
 */
#ifndef ITP_COMPLETION_H
#define ITP_COMPLETION_H

#include "common/symbol/symbolizer.h"

/* How many places are remembered; when there are more, all are forgotten. With all that belongs to
 * one it takes about 100 bytes: 6.4 MB. Of each file whose functions may call what stands above a
 * hole, 16 bytes are noted for about every 50 bytes of its code, at most 64 MB. */
#define ITP_COMPLETION_MAX_PLACES 65536

/* Between two frames. */
#define ITP_COMPLETION_MAX_MISSING 5

/* A frame of the user's part of a stack. */
struct itp_completion_frame {
	/* In memory, and what to subtract for the address in the file. */
	uint64_t address;
	uint64_t slide;
	uint32_t function;
	/* The thread stands there, rather than in the call before it. */
	bool is_exact;
};

struct itp_completion;

/* `functions` is weak, and that of the symbolizer whose address spaces are asked about. */
struct itp_completion *itp_completion_new(struct itp_function_table *functions);
void itp_completion_free(struct itp_completion *completion);

/* The functions that are missing between two frames that follow each other in the chain of a
 * process with the memory `space`, root first: *ret_functions, until the next call. Returns how
 * many; 0 when there are none, or none can be told. */
size_t itp_completion_find(struct itp_completion *completion, struct itp_address_space *space,
			   const struct itp_completion_frame *caller,
			   const struct itp_completion_frame *callee,
			   const uint32_t **ret_functions);

#endif
