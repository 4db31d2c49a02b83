/* SPDX-License-Identifier: MIT */
/*
 * Processes of threads, which most samples do not tell.
 *
 * Handing over the whole of a sample costs perf a third more. Only the process of a new thread is
 * needed from it, so it is asked for only as long as new threads may come: at the beginning, while
 * one is being made, and until it was seen.
 */
#ifndef ITP_PERF_SCRIPT_THREADS_H
#define ITP_PERF_SCRIPT_THREADS_H

#include "plugins/perf/dlfilter/delivery.h"

struct itp_new_threads {
	/* Known threads. Weak. */
	const struct itp_delivery *delivery;
	/* Tids of threads that were made, or seen, and whose process is unknown. Owned by this. */
	GHashTable *unknown;
	/* Pids, by tid, from switches of threads without a sample until now. Owned by this. */
	GHashTable *told;
	/* Tids of threads that are making one. Owned by this. */
	GHashTable *makers;
};

/* `delivery` must outlive this. */
void itp_new_threads_init(struct itp_new_threads *threads, const struct itp_delivery *delivery);
void itp_new_threads_release(struct itp_new_threads *threads);

/* The sample of the thread tells its process itself. */
void itp_new_threads_know(struct itp_new_threads *threads, int32_t tid);
/* Process of a thread whose sample does not tell: guessed where unknown. */
int32_t itp_new_threads_find(struct itp_new_threads *threads, int32_t tid);

/* Looks for the begin and the end of system calls that make a thread. */
void itp_new_threads_watch(struct itp_new_threads *threads, const struct itp_perf_sample *sample);

/* A context switch names the process of a thread. False when it is too early to use it. */
bool itp_new_threads_switch(struct itp_new_threads *threads, int32_t pid, int32_t tid);

/* True when a thread may come whose process only perf can tell. */
bool itp_new_threads_may_come(const struct itp_new_threads *threads);

#endif
