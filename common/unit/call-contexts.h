/* SPDX-License-Identifier: MIT */
/*
 * System calls by the contexts in which they are made: what they do with a descriptor, what they
 * wait for, and whether they were seen to.
 */
#ifndef ITP_UNIT_CALL_CONTEXTS_H
#define ITP_UNIT_CALL_CONTEXTS_H

#include "common/unit/conversations.h"
#include "common/unit/waits.h"

struct itp_call_context {
	enum itp_wait_class class;
	enum itp_descriptor_use use;
	bool is_known;
	/* A call there has blocked for what it is to wait for. */
	bool is_proven;
	/* A call there did not wait for what was not there: none does. */
	bool is_look;
	/* Its result is a number of messages, and not of bytes. */
	bool is_of_messages;
	/* It waits for signals: to be interrupted by one is what it is for. */
	bool is_for_signals;
	/* Its second word is how many descriptors it waits for. */
	bool is_poll;
};

struct itp_call_contexts;

/* Both are weak. */
struct itp_call_contexts *itp_call_contexts_new(const struct itp_context_tree *tree,
						const struct itp_function_table *functions);
void itp_call_contexts_free(struct itp_call_contexts *contexts);

/* Of the system call `node`. Valid until the next call. */
struct itp_call_context *itp_call_contexts_at(struct itp_call_contexts *contexts, uint32_t node);

/* By the name of the system call alone, without its prefix, as far as that tells. */
struct itp_call_context itp_call_context_by_name(const char *syscall);

#endif
