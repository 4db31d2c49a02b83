/* SPDX-License-Identifier: MIT */
/*
 * Threads that ended last: some wake others with their last steps, behind what is recorded of
 * their end.
 */
#ifndef ITP_INFER_ENDED_THREADS_H
#define ITP_INFER_ENDED_THREADS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* How many are remembered. */
#define ITP_MAX_ENDED 64

struct itp_ended_thread {
	int32_t pid;
	int32_t tid;
	/* Process root, and node of its innermost function. */
	uint32_t process;
	uint32_t node;
	/* Members of struct itp_thread. */
	int32_t maker_pid;
	int64_t end_ns;
};

/* A ring, and how many have ended. All zeros at first. */
struct itp_ended_threads {
	struct itp_ended_thread ring[ITP_MAX_ENDED];
	size_t count;
};

void itp_ended_add(struct itp_ended_threads *ended, const struct itp_ended_thread *thread);

/* The thread with this tid that ended last; NULL for none. Weak. */
const struct itp_ended_thread *itp_ended_find(const struct itp_ended_threads *ended, int64_t tid);

/* True when any thread has ended at `since_ns` or later. */
bool itp_ended_any(const struct itp_ended_threads *ended, int64_t since_ns);

/* The first thread of a process made by process `maker_pid` that ended last, at `since_ns` or
 * later; NULL for none. Weak. */
const struct itp_ended_thread *itp_ended_child(const struct itp_ended_threads *ended,
					       int32_t maker_pid, int64_t since_ns);

/* The thread of process `pid` that ended last, at `since_ns` or later; NULL for none. Weak. */
const struct itp_ended_thread *itp_ended_sibling(const struct itp_ended_threads *ended, int32_t pid,
						 int64_t since_ns);

#endif
