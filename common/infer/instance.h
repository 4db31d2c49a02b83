/* SPDX-License-Identifier: MIT */
/*
 * Function instance: an inferred call of a function in a context (paper, section 3.3).
 */
#ifndef ITP_INFER_INSTANCE_H
#define ITP_INFER_INSTANCE_H

#include <stdbool.h>
#include <stdint.h>

#include "common/base/stack-event.h"

/* Bits of itp_instance.flags; the numbers are part of the message contract. */
enum itp_instance_flag {
	/* Call was there when watching began, and may have begun earlier. */
	ITP_INSTANCE_BEGIN_UNKNOWN = 1 << 0,
	/* Call was there when watching ended, and may have lasted longer. */
	ITP_INSTANCE_END_UNKNOWN = 1 << 1,
	/* Lost events ended the watching: its latency says nothing and is never averaged in. */
	ITP_INSTANCE_LOST = 1 << 2,
	/* Begin and end were recorded, not inferred. */
	ITP_INSTANCE_EXACT = 1 << 3,
	/* Begin told by an event, as for each call of its function. */
	ITP_INSTANCE_COUNTED = 1 << 4,
	/* Rest of a call that was counted, or that began before the recording: events tell each
	 * call of its function, and none told this one. */
	ITP_INSTANCE_PART = 1 << 5,
	/* Each call of its function makes a system call, so none goes unseen. */
	ITP_INSTANCE_SHOWS = 1 << 6,
	/* Inserted from the code of its caller: no recorded stack has it. */
	ITP_INSTANCE_FILLED = 1 << 7,
};

/* Flags about the calls beside it, or about its sight, rather than about its latency. */
#define ITP_INSTANCE_COUNT_FLAGS \
	(ITP_INSTANCE_COUNTED | ITP_INSTANCE_PART | ITP_INSTANCE_SHOWS | ITP_INSTANCE_FILLED)

/* How a span of a thread's life was spent. What is in none of the three is not known. */
struct itp_time_use {
	int64_t cpu_ns;
	int64_t blocked_ns;
	/* Runnable, waiting for a CPU. */
	int64_t runnable_ns;
};

/* Adds `sign` (1 or −1) times `other` to `use`. */
static inline void itp_time_use_add(struct itp_time_use *use, const struct itp_time_use *other,
				    int64_t sign)
{
	use->cpu_ns += sign * other->cpu_ns;
	use->blocked_ns += sign * other->blocked_ns;
	use->runnable_ns += sign * other->runnable_ns;
}

struct itp_instance {
	/* Context tree node. */
	uint32_t node;
	int32_t pid;
	int32_t tid;
	/* 0 is the thread itself (its process's node), 1 the root frame of its stack. */
	uint32_t depth;
	/* Name of the thread, as "worker 3", at depth 0; "" above that, and where it is not known.
	 * Weak. */
	const char *thread_name;
	/* First seen. */
	int64_t begin_ns;
	/* Until last seen. */
	int64_t conservative_ns;
	/* Until first seen gone. */
	int64_t aggressive_ns;
	/* Bounds of the true latency of a call: its time in sight; first gone − last not there. */
	int64_t lower_ns;
	int64_t upper_ns;
	/* Greatest number of calls in truth, because nothing told them apart: it was seen again at
	 * its place, and its callers may have called it again in between. The lower bound is then
	 * the shortest call's. 1: a single call. */
	uint32_t max_calls;
	/* Windows, when system calls are watched in windows alone: number of the window in which
	 * the call began, 0 for none; and the number of calls that it stands for besides itself: N
	 * - 1 in a window that is one in N, and -1 in none, as calls in windows stand for those,
	 * too. */
	uint32_t window;
	int32_t unseen_calls;
	/* System call that has returned without its object, not there yet (EAGAIN). */
	bool would_block;
	/* System calls: the words handed to it, and its result, −EINTR when interrupted by a
	 * signal. The result is unknown for a call whose return was not seen, and in a profile
	 * saved without results. */
	struct itp_syscall_words words;
	int64_t result;
	bool has_result;
	/* Time of the first wakeup of another thread, such as a reader of its output; 0: never, or
	 * unknown. */
	int64_t woke_ns;
	/* Use of the conservative span. */
	struct itp_time_use use;
	uint32_t flags;
	/* Likeliest span, inside the bounds, and its use. Spans of children lie in their parent's,
	 * one behind the other. */
	int64_t best_begin_ns;
	int64_t best_ns;
	struct itp_time_use best_use;
};

/* Best estimate of the call's end. */
static inline int64_t itp_instance_end_ns(const struct itp_instance *instance)
{
	return instance->best_begin_ns + instance->best_ns;
}

/* Number of a system call's descriptor, its first word: 3 for read(3, …). −1 where the words are
 * unknown, or the first is no such number. */
static inline int32_t itp_instance_descriptor(const struct itp_instance *instance)
{
	return instance->words.are_known && instance->words.words[0] <= INT32_MAX ?
		       (int32_t)instance->words.words[0] :
		       -1;
}

/* Called when a system call without a believed stack has returned, as where more lies on the stack
 * than is copied: it is in no context (`node` is ITP_CONTEXT_ROOT). `begin_ns` is the time of its
 * return, `best_begin_ns` of its begin, or of its return where its begin was not seen. `function`
 * is the system call's. */
typedef void (*itp_unplaced_func)(const struct itp_instance *call, uint32_t function, void *data);

/* Call at its first sight. */
struct itp_call {
	/* Members of struct itp_instance; never 0 deep. */
	uint32_t node;
	int32_t pid;
	int32_t tid;
	uint32_t depth;
	int64_t time_ns;
	/* Place where its caller goes on, in addresses of the caller's file; 0 for the first
	 * function of a thread. */
	uint64_t call_site;
};

#endif
