/* SPDX-License-Identifier: MIT */
/*
 * Descriptors of processes, as far as their system calls tell who speaks first on each: the other
 * side, which brings work, or the process, which asks for something.
 *
 * A descriptor from accept() serves, one of connect() asks. Others are told by their first use: a
 * pipe that is read before it is written serves. Children inherit the descriptors of their parents.
 * Files that are opened by name are neither: reading a configuration is no request.
 */
#ifndef ITP_UNIT_CONVERSATIONS_H
#define ITP_UNIT_CONVERSATIONS_H

#include "common/base/function-table.h"
#include "common/infer/instance.h"

/* What a system call does with its descriptor, the first argument. */
enum itp_descriptor_use {
	ITP_DESCRIPTOR_UNUSED = 0,
	ITP_DESCRIPTOR_READ,
	ITP_DESCRIPTOR_WRITTEN,
	/* The result is another descriptor: of a client, or of a file. */
	ITP_DESCRIPTOR_ACCEPTS,
	ITP_DESCRIPTOR_OPENS_FILE,
	/* The result is a descriptor of which nothing is known. */
	ITP_DESCRIPTOR_OPENS,
	/* The result tells the process of something, such as of an event that one of its own
	 * threads has written: whoever writes it is no client who gets an answer. */
	ITP_DESCRIPTOR_OPENS_SIGNAL,
	ITP_DESCRIPTOR_CONNECTED,
	ITP_DESCRIPTOR_CLOSED,
	/* Nothing more will be written, or read. */
	ITP_DESCRIPTOR_SHUT,
	/* An option is set, by which what was held back may be sent: TCP_CORK. */
	ITP_DESCRIPTOR_SET,
	ITP_DESCRIPTOR_COPIED,
	/* The result is a thread or a process. */
	ITP_DESCRIPTOR_INHERITED,
};

/* Who speaks first. */
enum itp_conversation {
	ITP_CONVERSATION_UNKNOWN = 0,
	/* The other side does, and is answered by the same descriptor. */
	ITP_CONVERSATION_SERVES,
	/* The other side does, and nothing was written to the descriptor: it may be an answer to
	 * what was written to another one. */
	ITP_CONVERSATION_LISTENS,
	/* The process does. */
	ITP_CONVERSATION_ASKS,
	ITP_CONVERSATION_FILE,
};

/* When a thread has come back from a wait for any event, and has last done so from one in which it
 * slept until somebody else than its own process had brought one. INT64_MIN: never. */
struct itp_news {
	int64_t time_ns;
	int64_t slept_ns;
};

struct itp_conversations;

struct itp_conversations *itp_conversations_new(void);
void itp_conversations_free(struct itp_conversations *conversations);

/* What the system call of this name, without its prefix, does. */
enum itp_descriptor_use itp_descriptor_use_of(const char *syscall);

/* Takes the next system call that has ended; ITP_DESCRIPTOR_UNUSED ones say nothing. */
void itp_conversations_note(struct itp_conversations *conversations,
			    const struct itp_instance *call, enum itp_descriptor_use use);

/* The side of the descriptor that `call` has used, by all that was noted. */
enum itp_conversation itp_conversations_of(const struct itp_conversations *conversations,
					   const struct itp_instance *call);

/* Whether the process has read from that descriptor. */
bool itp_conversations_was_read(const struct itp_conversations *conversations,
				const struct itp_instance *call);

/* The connection that `call` has accepted was known of since `found_ns`. */
void itp_conversations_accepted(struct itp_conversations *conversations,
				const struct itp_instance *call, int64_t found_ns);

/* Request that is read: it was known of since what the thread has `found`, and since any of its
 * process has come back with an event, at `learned_ns`, unless that was before the descriptor was
 * used last, or looked at in vain. A request that is there when a thread reads of a connection for
 * the first time has come with that. */
void itp_conversations_found(struct itp_conversations *conversations,
			     const struct itp_instance *call, struct itp_news found,
			     int64_t learned_ns);

/* Whether what the process has read of that descriptor was not answered yet, by any of its threads.
 */
bool itp_conversations_is_open(const struct itp_conversations *conversations, int32_t pid,
			       int32_t descriptor);

/* When another thread of the process has learned of what it has read of that descriptor, for the
 * first time since the process has last written to it; 0: none has. */
int64_t itp_conversations_asked_ns(const struct itp_conversations *conversations,
				   const struct itp_instance *call);

/* Likewise any thread of it, this one as well: another of its coroutines may have, or its runtime,
 * which looks at all events in one thread and has the coroutine go on in another. */
int64_t itp_conversations_learned_ns(const struct itp_conversations *conversations,
				     const struct itp_instance *call);

/* The process has ended: its number may be another one's. */
void itp_conversations_forget(struct itp_conversations *conversations, int32_t pid);

#endif
