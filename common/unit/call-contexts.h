/* SPDX-License-Identifier: MIT */
/*
 * System calls by context: use of their descriptor, purpose of their wait, and proofs of waiting.
 */
#ifndef ITP_UNIT_CALL_CONTEXTS_H
#define ITP_UNIT_CALL_CONTEXTS_H

#include "common/unit/conversations.h"
#include "common/unit/waits.h"

struct itp_call_context {
	enum itp_wait_class class;
	enum itp_descriptor_use use;
	bool is_known;
	/* A call in the context has blocked for its event. */
	bool is_proven;
	/* A call in the context came back from nothing without waiting: none of them waits. */
	bool is_look;
	/* The result is a number of messages, not of bytes. */
	bool is_of_messages;
	/* Call that waits for signals: an interruption by one is its purpose. */
	bool is_for_signals;
	/* The second argument is the number of descriptors waited for. */
	bool is_poll;
	/* Place of the argument with the longest time to wait, in milliseconds; 0: none. */
	int timeout_word;
};

struct itp_call_contexts;

/* Both are weak. */
struct itp_call_contexts *itp_call_contexts_new(const struct itp_context_tree *tree,
						const struct itp_function_table *functions);
void itp_call_contexts_free(struct itp_call_contexts *contexts);

/* Context of the system call `node`. Valid until the next call. */
struct itp_call_context *itp_call_contexts_at(struct itp_call_contexts *contexts, uint32_t node);

/* Context as far as the name of the system call alone, without its prefix, tells: "ppoll". */
struct itp_call_context itp_call_context_by_name(const char *syscall);

#endif
