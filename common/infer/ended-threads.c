/* SPDX-License-Identifier: MIT */
/*
 * See ended-threads.h.
 */
#include "common/infer/ended-threads.h"

#include <glib.h>

void itp_ended_add(struct itp_ended_threads *ended, const struct itp_ended_thread *thread)
{
	ended->ring[ended->count++ % ITP_MAX_ENDED] = *thread;
}

/* The i-th last one, from 1; NULL when forgotten. */
static const struct itp_ended_thread *before(const struct itp_ended_threads *ended, size_t i)
{
	return i <= MIN(ended->count, ITP_MAX_ENDED) ?
		       &ended->ring[(ended->count - i) % ITP_MAX_ENDED] :
		       NULL;
}

const struct itp_ended_thread *itp_ended_find(const struct itp_ended_threads *ended, int64_t tid)
{
	const struct itp_ended_thread *thread;

	for (size_t i = 1; (thread = before(ended, i)); i++) {
		if (thread->tid == tid) {
			return thread;
		}
	}
	return NULL;
}

bool itp_ended_any(const struct itp_ended_threads *ended, int64_t since_ns)
{
	const struct itp_ended_thread *last = before(ended, 1);

	return last && last->end_ns >= since_ns;
}

const struct itp_ended_thread *itp_ended_child(const struct itp_ended_threads *ended,
					       int32_t maker_pid, int64_t since_ns)
{
	const struct itp_ended_thread *thread;

	for (size_t i = 1; (thread = before(ended, i)) && thread->end_ns >= since_ns; i++) {
		if (thread->maker_pid == maker_pid) {
			return thread;
		}
	}
	return NULL;
}

const struct itp_ended_thread *itp_ended_sibling(const struct itp_ended_threads *ended, int32_t pid,
						 int64_t since_ns)
{
	const struct itp_ended_thread *thread;

	for (size_t i = 1; (thread = before(ended, i)) && thread->end_ns >= since_ns; i++) {
		if (thread->pid == pid) {
			return thread;
		}
	}
	return NULL;
}
