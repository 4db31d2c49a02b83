/* SPDX-License-Identifier: MIT */
/*
 * Control flow inside of functions: can control go from a place to another without leaving them?
 *
 *   answers.c       questions of the core, by function, and the file of each function
 *   control-flow.c  questions to a file, and the graphs made for them
 *   graph.c         basic blocks, and the blocks reached from each
 *   explore.c       code → graph, of the instructions found by follow.c
 *     jump.c          targets of indirect jumps, by the registers along the way: value.c, operand.c
 *     call.c          the callee of a call, and the place to which it comes back
 *     landing.c       targets of exceptions
 *   code.c          parts of functions, and jumps that leave them
 *     imports.c       names in other files, and stored addresses of code: address-set.c
 *     patches.c       code that a kernel changes while it runs
 *   stack-depth.c   depth of the stack in code without unwind rules
 *   decode.c        single instructions (Capstone)
 *
 * Two stacks of a thread have the same frames down to a function: is the second's frame the same
 * call of it? If control cannot go from the first place to the second, the function returned in
 * between and was called again. ITP_FLOW_NEVER is said only when every way is known; in doubt, or
 * where nothing can be known, ITP_FLOW_UNKNOWN.
 *
 * Followed are direct jumps, jump tables, calls, exceptions (to their landing pads), setjmp() (from
 * anywhere in the function) and jumps between the parts of a function, such as NAME.cold. Not known
 * are other indirect jumps and Go. What a kernel changes in its code while it runs is known from
 * its own tables (patches.h). A frame in the cold part of a function has another name than one in
 * the function itself. An answer holds for two places in different parts as well.
 *
 * Duties of the asker: (1) without a step in user mode between two events, a frame is the same
 * whatever is said here. (2) The kernel carries out a system call a second time, without a jump
 * back, if the first ended with a result from -516 to -512.
 */
#ifndef ITP_CONTROL_FLOW_H
#define ITP_CONTROL_FLOW_H

#include "common/control-flow/graph.h"
#include "common/control-flow/point.h"
#include "common/symbol/elf-symbols.h"

enum itp_flow_answer {
	ITP_FLOW_NEVER,
	ITP_FLOW_REACHES,
	ITP_FLOW_UNKNOWN,
};

struct itp_flow_counts {
	/* Functions asked about, by the first cause that leaves a part unknown: ITP_FLOW_KNOWN for
	 * none. */
	uint64_t functions[ITP_FLOW_CAUSE_COUNT];
	/* Answers given, by enum itp_flow_answer. */
	uint64_t answers[ITP_FLOW_UNKNOWN + 1];
};

struct itp_control_flow;

/* NULL for a file whose control flow cannot be known: of an architecture other than x86-64 and
 * arm64, without section headers, of Go, of a kernel other than x86-64. `symbols` is weak and must
 * outlive the result. */
struct itp_control_flow *itp_control_flow_new(const struct itp_elf_symbols *symbols);
void itp_control_flow_free(struct itp_control_flow *flow);

/* Whether a call of a function suspended in `from` can be suspended in `to` later. For `from` ==
 * `to` behind a call: whether the same call can be made again. An interrupted instruction can be
 * met again without having been carried out. */
enum itp_flow_answer itp_control_flow_ask(struct itp_control_flow *flow, struct itp_flow_point from,
					  struct itp_flow_point to);

/* True when a call suspended in `from` may have ended in a jump to the function of `to` (NULL: any
 * in another file), at once or through other functions, and `to` returns to the same caller. True
 * when unknown, as for a jump through a pointer. */
bool itp_control_flow_may_jump_away(struct itp_control_flow *flow, struct itp_flow_point from,
				    const struct itp_flow_point *to);

/* True when a call of a function may come to `to`, or end if `to` is NULL, without having made the
 * call behind `site` or a system call before. True when unknown. */
bool itp_control_flow_may_avoid(struct itp_control_flow *flow, struct itp_flow_point site,
				const struct itp_flow_point *to);

/* True when the call behind `site` always calls the function of `callee`. False when unknown, as
 * for a call through a pointer. */
bool itp_control_flow_always_calls(struct itp_control_flow *flow, struct itp_flow_point site,
				   struct itp_flow_point callee);

/* Name under which the call behind `site` always finds its callee in another file; NULL when there
 * is none. Part of the file. */
const char *itp_control_flow_linked_name(struct itp_control_flow *flow, struct itp_flow_point site);

struct itp_flow_counts itp_control_flow_counts(const struct itp_control_flow *flow);

/* Bytes on the heap. */
size_t itp_control_flow_bytes(const struct itp_control_flow *flow);

#endif
