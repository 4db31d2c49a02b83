/* SPDX-License-Identifier: MIT */
/*
 * Which threads perf has to tell more of.
 *
 * To hand over the whole of a sample costs perf as much again as a third of what it does anyway.
 * All that is needed of it is the process of a thread that is new, so it is only asked for as long
 * as threads may be: at the beginning, while one is being made, and until the new one was seen.
 */
#ifndef ITP_PERF_SCRIPT_THREADS_H
#define ITP_PERF_SCRIPT_THREADS_H

#include <glib.h>
#include <stdbool.h>
#include <stdint.h>

#include "common/perf-data/translate.h"

struct itp_new_threads {
	/* Tids of threads that were made, or seen, and whose process is not known. Owned by this.
	 */
	GHashTable *unknown;
	/* Pids, by tid, that switches told of threads without a sample until now. Owned by this. */
	GHashTable *told;
	/* Tids of threads that are making one. Owned by this. */
	GHashTable *makers;
};

void itp_new_threads_init(struct itp_new_threads *threads);
void itp_new_threads_release(struct itp_new_threads *threads);

/* Looks for the begin and the end of system calls that make a thread. */
void itp_new_threads_watch(struct itp_new_threads *threads, struct itp_translator *translator,
			   const struct itp_perf_sample *sample);

/* The thread was seen, and its process is known, or is not. */
void itp_new_threads_know(struct itp_new_threads *threads, int32_t tid);
void itp_new_threads_miss(struct itp_new_threads *threads, int32_t tid);

/* A context switch names the process of a thread that has no sample yet. */
void itp_new_threads_tell(struct itp_new_threads *threads, int32_t tid, int32_t pid);
bool itp_new_threads_was_told(const struct itp_new_threads *threads, int32_t tid, int32_t *ret_pid);

bool itp_new_threads_may_come(const struct itp_new_threads *threads);

#endif
