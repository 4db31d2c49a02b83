/* SPDX-License-Identifier: MIT */
/*
 * Descriptors of processes, and the side that speaks first on each, as far as system calls tell:
 * the other side, with work, or the process, with a question.
 *
 * A descriptor from accept() serves, a descriptor of connect() asks. The first use tells of others:
 * a pipe read before its first write serves. Children inherit the descriptors of their parents.
 * Files opened by name do neither: reading a configuration is no request.
 */
#ifndef ITP_UNIT_CONVERSATIONS_H
#define ITP_UNIT_CONVERSATIONS_H

#include "common/base/function-table.h"
#include "common/infer/instance.h"
#include "common/known/descriptor-calls.h"

/* Side that speaks first on a descriptor. */
enum itp_conversation {
	ITP_CONVERSATION_UNKNOWN = 0,
	/* The other side, answered by the same descriptor. */
	ITP_CONVERSATION_SERVES,
	/* The other side, never written to: its bytes may answer a write to another descriptor. */
	ITP_CONVERSATION_LISTENS,
	/* The process. */
	ITP_CONVERSATION_ASKS,
	ITP_CONVERSATION_FILE,
};

/* Times of a thread's last return from a wait for any event, and from the last such wait with a
 * sleep ended by another process' news. INT64_MIN: never; INT64_MAX: the return was for another
 * client. */
struct itp_news {
	int64_t time_ns;
	int64_t slept_ns;
};

/* Last answer on a descriptor: the time, INT64_MIN for never, the thread, and the time at which its
 * process learned of the request; 0: unknown. */
struct itp_last_answer {
	int64_t time_ns;
	int64_t learned_ns;
	int32_t tid;
};

struct itp_conversations;

struct itp_conversations *itp_conversations_new(void);
void itp_conversations_free(struct itp_conversations *conversations);

/* Use of its descriptor by `call`, the next ended system call, before it is noted. Of several
 * descriptors of one connection, copied by dup() or fcntl(), one stands for all: it becomes the
 * first word of `call`. Closing a copy while others are left is unused. */
enum itp_descriptor_use itp_conversations_resolve(struct itp_conversations *conversations,
						  struct itp_instance *call,
						  enum itp_descriptor_use use);

/* Takes the next ended system call; ITP_DESCRIPTOR_UNUSED calls tell nothing. */
void itp_conversations_note(struct itp_conversations *conversations,
			    const struct itp_instance *call, enum itp_descriptor_use use);

/* Side of the descriptor of `call`, by all calls until now. */
enum itp_conversation itp_conversations_of(const struct itp_conversations *conversations,
					   const struct itp_instance *call);

/* True when the process has read from the descriptor of `call`. */
bool itp_conversations_was_read(const struct itp_conversations *conversations,
				const struct itp_instance *call);

/* True when the last use of the descriptor of `call` before this write, noted already, was a write,
 * too. */
bool itp_conversations_is_written_again(const struct itp_conversations *conversations,
					const struct itp_instance *call);

/* True when bytes of the write `call`, noted already, perhaps did not leave with the call: TCP_CORK
 * was set for the connection, or another write came since the last read, and waits for the client's
 * acknowledgement (Nagle). True as well for a connection not seen accepted. */
bool itp_conversations_may_hold_back(const struct itp_conversations *conversations,
				     const struct itp_instance *call);

/* True when TCP_CORK was set for the descriptor of `call`. */
bool itp_conversations_was_corked(const struct itp_conversations *conversations,
				  const struct itp_instance *call);

/* True when the call of setsockopt() sets TCP_CORK, or takes the option back. */
bool itp_conversations_corks(const struct itp_instance *call);

/* The connection accepted by `call` was known since `found_ns`. */
void itp_conversations_accepted(struct itp_conversations *conversations,
				const struct itp_instance *call, int64_t found_ns);

/* The caller has taken the descriptor out of the set of a wait for any event, as a selector does
 * that hands the connection over: it has known of the connection's next request since
 * `found_ns`. */
void itp_conversations_taken_out(struct itp_conversations *conversations,
				 const struct itp_instance *call, int64_t found_ns);

/* Least time of the event behind the call, noted already: the last use of the descriptor before, or
 * the last look in vain. INT64_MAX: the call needs no event, as more of one request, a file, or a
 * read that has slept. */
int64_t itp_conversations_event_since(const struct itp_conversations *conversations,
				      const struct itp_instance *call);

/* Read of a request: its thread knew of it since the news `found`, and its process since a thread
 * of it came back with its event at `learned_ns`, or, without a known event, with any at
 * `latest_ns`; INT64_MIN: never. News older than the descriptor's last use count for nothing. A
 * request there at the first read of a connection has come with the connection. */
void itp_conversations_found(struct itp_conversations *conversations,
			     const struct itp_instance *call, struct itp_news found,
			     int64_t learned_ns, int64_t latest_ns);

/* The write has answered its client. */
void itp_conversations_answered(struct itp_conversations *conversations,
				const struct itp_instance *call,
				const struct itp_last_answer *answer);

/* Last answer on the descriptor of `call`. */
struct itp_last_answer itp_conversations_last_answer(const struct itp_conversations *conversations,
						     const struct itp_instance *call);

/* True when no thread of the process has answered its reads of the descriptor yet. */
bool itp_conversations_is_open(const struct itp_conversations *conversations, int32_t pid,
			       int32_t descriptor);

/* Time at which another thread of the process learned of its first read of the descriptor since the
 * process' last write there; 0: none has. */
int64_t itp_conversations_asked_ns(const struct itp_conversations *conversations,
				   const struct itp_instance *call);

/* Time at which any thread of the process, the caller's too, learned of the first read of the
 * descriptor since the last write: perhaps another coroutine of the thread, or a runtime that looks
 * at all events in one thread and runs the coroutine in another. */
int64_t itp_conversations_learned_ns(const struct itp_conversations *conversations,
				     const struct itp_instance *call);

/* The process has ended: another may get its number. */
void itp_conversations_forget(struct itp_conversations *conversations, int32_t pid);

#endif
