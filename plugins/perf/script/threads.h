/* SPDX-License-Identifier: MIT */
/*
 * Whose process a thread is of, which most samples do not tell.
 *
 * To hand over the whole of a sample costs perf as much again as a third of what it does anyway.
 * All that is needed of it is the process of a thread that is new, so it is only asked for as long
 * as threads may be: at the beginning, while one is being made, and until the new one was seen.
 */
#ifndef ITP_PERF_SCRIPT_THREADS_H
#define ITP_PERF_SCRIPT_THREADS_H

#include "plugins/perf/dlfilter/delivery.h"

struct itp_new_threads {
	/* Where threads are known. Weak. */
	const struct itp_delivery *delivery;
	/* Tids of threads that were made, or seen, and whose process is not known. Owned by this.
	 */
	GHashTable *unknown;
	/* Pids, by tid, that switches told of threads without a sample until now. Owned by this. */
	GHashTable *told;
	/* Tids of threads that are making one. Owned by this. */
	GHashTable *makers;
};

/* `delivery` must outlive this. */
void itp_new_threads_init(struct itp_new_threads *threads, const struct itp_delivery *delivery);
void itp_new_threads_release(struct itp_new_threads *threads);

/* The process of the thread of a sample, of which the sample tells: itself. */
void itp_new_threads_know(struct itp_new_threads *threads, int32_t tid);
/* Or nothing: it is guessed, then, where it is not known. */
int32_t itp_new_threads_find(struct itp_new_threads *threads, int32_t tid);

/* Looks for the begin and the end of system calls that make a thread. */
void itp_new_threads_watch(struct itp_new_threads *threads, const struct itp_perf_sample *sample);

/* A context switch names the process of a thread. False when it is too early to do anything with
 * that. */
bool itp_new_threads_switch(struct itp_new_threads *threads, int32_t pid, int32_t tid);

/* There may be one whose process only perf can tell. */
bool itp_new_threads_may_come(const struct itp_new_threads *threads);

#endif
