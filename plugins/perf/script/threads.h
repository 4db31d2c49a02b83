/* SPDX-License-Identifier: MIT */
/*
 * Processes of threads, not told by most samples.
 *
 * A whole sample costs perf a third more, and only the process of a new thread is needed from it.
 * Whole samples are asked for only while new threads may come: at the beginning, while a thread is
 * being made, and until the new thread was seen.
 */
#ifndef ITP_PERF_SCRIPT_THREADS_H
#define ITP_PERF_SCRIPT_THREADS_H

#include "plugins/perf/dlfilter/delivery.h"

struct itp_new_threads {
	/* Known threads. Weak. */
	const struct itp_delivery *delivery;
	/* Tids of threads made or seen, without a known process. Owned by this. */
	GHashTable *unknown;
	/* Pids by tid, from switches of threads without a sample until now. Owned by this. */
	GHashTable *told;
	/* Tids of threads in a system call that makes a thread. Owned by this. */
	GHashTable *makers;
};

/* `delivery` is weak, and must outlive `threads`. */
void itp_new_threads_init(struct itp_new_threads *threads, const struct itp_delivery *delivery);
void itp_new_threads_release(struct itp_new_threads *threads);

/* Notes that the process of a thread is known from its sample. */
void itp_new_threads_know(struct itp_new_threads *threads, int32_t tid);
/* Process of a thread, for samples without; guessed if unknown. */
int32_t itp_new_threads_find(struct itp_new_threads *threads, int32_t tid);

/* Looks in `sample` for the begin and the end of system calls that make a thread. */
void itp_new_threads_watch(struct itp_new_threads *threads, const struct itp_perf_sample *sample);

/* Takes the process of a thread from a context switch. False when too early to be used. */
bool itp_new_threads_switch(struct itp_new_threads *threads, int32_t pid, int32_t tid);

/* True while a thread may come with a process that only perf can tell. */
bool itp_new_threads_may_come(const struct itp_new_threads *threads);

#endif
