/* SPDX-License-Identifier: MIT */
/*
 * The user part of a stack, unwound from what a `--call-graph dwarf` sample copied.
 *
 * Brings together the sample's registers and stack, the process's mappings and the unwinder of
 * common/symbol. Which functions the addresses are in is callchain.c's business.
 */
#ifndef ITP_PERF_DATA_USER_STACK_H
#define ITP_PERF_DATA_USER_STACK_H

#include "common/base/stack-event.h"
#include "common/perf-data/sample.h"
#include "common/symbol/address-space.h"
#include "common/unwind/unwind.h"

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

/* Unwinds `user`, which must be present, of a sample of `attr` in `space`. */
struct itp_user_stack itp_user_stacks_unwind(struct itp_user_stacks *stacks,
					     const struct itp_perf_attr *attr,
					     const struct itp_perf_user_state *user,
					     struct itp_address_space *space);

#endif
