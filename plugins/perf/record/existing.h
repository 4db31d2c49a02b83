/* SPDX-License-Identifier: MIT */
/*
 * State before the recording, as records like the kernel's later ones: the kernel itself and
 * programs in it, threads with their names, executable mappings of processes, and control groups.
 * Receivers choose and write them.
 */
#ifndef ITP_PERF_RECORD_EXISTING_H
#define ITP_PERF_RECORD_EXISTING_H

#include <glib.h>
#include <linux/perf_event.h>
#include <stdint.h>

#include "plugins/perf/record/kernel-text.h"

/* Receiver of a record with its trailer. The record may be changed, and is gone afterwards. */
typedef void itp_recorder_tell(void *data, struct perf_event_header *record);

/* Tells the mapping of the kernel's code, if its range is known. */
void itp_recorder_existing_kernel(const struct itp_recorder_kernel_text *text,
				  itp_recorder_tell *tell, void *data);

/* Tells where the code of a function of a BPF program lies. */
void itp_recorder_existing_program(const char *name, uint64_t begin, uint32_t length,
				   itp_recorder_tell *tell, void *data);

/* Tells threads and mappings of a process; of a process that ends meanwhile, as much as could be
 * read. */
void itp_recorder_existing_process(int32_t pid, itp_recorder_tell *tell, void *data);

/* Tells a control group. */
void itp_recorder_existing_group(uint64_t number, const char *path, itp_recorder_tell *tell,
				 void *data);

/* Receiver of words of memory; gone afterwards. */
typedef void itp_recorder_tell_words(void *data, const uint64_t *words, guint count);

/* Tells the top of the stack of each thread of a process that waits: return addresses are among its
 * words, the first of which is where the thread goes on. */
void itp_recorder_existing_stacks(int32_t pid, itp_recorder_tell_words *tell, void *data);

/* int32_t: all processes with memory of their own. Free with g_array_unref(). */
GArray *itp_recorder_existing_pids(void);

/* int32_t: a process with all descendants. Free with g_array_unref(). */
GArray *itp_recorder_existing_tree(int32_t pid);

#endif
