/* SPDX-License-Identifier: MIT */
/*
 * A function instance: one inferred call of one function in one context (paper, section 3.3).
 */
#ifndef ITP_INFER_INSTANCE_H
#define ITP_INFER_INSTANCE_H

#include <stdbool.h>
#include <stdint.h>

#include "common/base/stack-event.h"

/* Bits of itp_instance.flags; the numbers are part of the message contract. */
enum itp_instance_flag {
	/* It was there when watching began, so it may have begun earlier. */
	ITP_INSTANCE_BEGIN_UNKNOWN = 1 << 0,
	/* It was there when watching ended, so it may have lasted longer. */
	ITP_INSTANCE_END_UNKNOWN = 1 << 1,
	/* Lost events ended the watching: its latency says nothing and is never averaged in. */
	ITP_INSTANCE_LOST = 1 << 2,
	/* Begin and end were recorded, not inferred. */
	ITP_INSTANCE_EXACT = 1 << 3,
	/* An event told its begin, as it does for each call of its function. */
	ITP_INSTANCE_COUNTED = 1 << 4,
	/* Events tell each call of its function, and none told this one: it is what is left of a
	 * call that was counted, or that began before the recording. */
	ITP_INSTANCE_PART = 1 << 5,
	/* Each call of its function makes a system call, so none goes unseen. */
	ITP_INSTANCE_SHOWS = 1 << 6,
	/* No recorded stack has it: it was put in from the code of its caller. */
	ITP_INSTANCE_FILLED = 1 << 7,
};

/* Those that say something about the calls beside it, or how it was seen, rather than about its
 * latency. */
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
	/* Bounds of the true latency of a call: how long it was seen; first gone − last not there.
	 */
	int64_t lower_ns;
	int64_t upper_ns;
	/* How many calls it may be in truth, because nothing told them apart: it was seen again
	 * where it had been, and its callers may have called it again in between. The lower bound
	 * is then that of the shortest. 1: it is one. */
	uint32_t max_calls;
	/* Where system calls are watched in windows alone: the number of the window in which the
	 * call began, 0 for none; and how many calls it stands for besides itself: N - 1 in a
	 * window that is one in N, and -1 in none, as such calls stand for those, too. */
	uint32_t window;
	int32_t unseen_calls;
	/* It is a system call, and has returned that what it is for is not there yet. */
	bool would_block;
	/* System calls: the words handed to it, and its result, −EINTR for one that a signal
	 * interrupted. The result is not known of a call that was not seen to return, nor of one in
	 * a profile that was saved without results. */
	struct itp_syscall_words words;
	int64_t result;
	bool has_result;
	/* When it has first woken another thread, as who waits for what it writes; 0: never, or
	 * that is not known. */
	int64_t woke_ns;
	/* Use of the conservative span. */
	struct itp_time_use use;
	uint32_t flags;
	/* The likeliest span, inside the bounds, and its use. Those of children lie in their
	 * parent's, one behind the other. */
	int64_t best_begin_ns;
	int64_t best_ns;
	struct itp_time_use best_use;
};

/* The number of the descriptor that a system call works on, its first word: 3 for read(3, …). −1
 * where the words are not known, or the first is no such number. */
static inline int32_t itp_instance_descriptor(const struct itp_instance *instance)
{
	return instance->words.are_known && instance->words.words[0] <= INT32_MAX ?
		       (int32_t)instance->words.words[0] :
		       -1;
}

/* Called when a system call has returned of which no stack was believed, as where more lies on the
 * stack than is copied: it is in no context (`node` is ITP_CONTEXT_ROOT). `begin_ns` is when it
 * returned, `best_begin_ns` when it was made, or returned where that was not seen. `function` is
 * that of the system call. */
typedef void (*itp_unplaced_func)(const struct itp_instance *call, uint32_t function, void *data);

/* A call that was just seen for the first time. */
struct itp_call {
	/* As in struct itp_instance; never 0 deep. */
	uint32_t node;
	int32_t pid;
	int32_t tid;
	uint32_t depth;
	int64_t time_ns;
	/* Where its caller goes on, in the addresses of the caller's file; 0 for the first function
	 * of a thread. */
	uint64_t call_site;
};

#endif
