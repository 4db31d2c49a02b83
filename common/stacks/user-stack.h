/* SPDX-License-Identifier: MIT */
/*
 * The user part of a stack, unwound from a copy of its top.
 *
 * Brings together the registers and the stack that a sample copied, the process's mappings and
 * common/unwind. Which functions the addresses are in is callchain.c's business.
 */
#ifndef ITP_STACKS_USER_STACK_H
#define ITP_STACKS_USER_STACK_H

#include "common/base/stack-event.h"
#include "common/symbol/address-space.h"
#include "common/unwind/unwind.h"

/* The registers and the top of the stack that a thread had in user mode. */
struct itp_user_state {
	/* Set when there are both, of a 64-bit thread. */
	bool is_present;
	/* As perf numbers registers, and a 64-bit number for each of its bits. */
	uint64_t register_mask;
	struct itp_bytes registers;
	/* What was really copied, from the stack pointer up; and how much was to be. The kernel
	 * stops at the first page that is not in memory. */
	struct itp_bytes stack;
	uint64_t stack_room;
};

struct itp_user_stacks;

/* `arch` as the recording names it (uname -m), or NULL: x86-64. */
struct itp_user_stacks *itp_user_stacks_new(const char *arch);
void itp_user_stacks_free(struct itp_user_stacks *stacks);

struct itp_user_stack {
	/* Leaf first. Weak: until the next call. */
	const struct itp_unwound_frame *frames;
	size_t count;
	enum itp_stack_end end;
	enum itp_found_by found_by;
};

/* Unwinds `user`, which must be present, of a thread in `space`. */
struct itp_user_stack itp_user_stacks_unwind(struct itp_user_stacks *stacks,
					     const struct itp_user_state *user,
					     struct itp_address_space *space);

#endif
