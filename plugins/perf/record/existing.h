/* SPDX-License-Identifier: MIT */
/*
 * What was there before the recording began, as records like those that the kernel makes later: the
 * kernel itself, threads with their names, and what processes have mapped to execute.
 */
#ifndef ITP_PERF_RECORD_EXISTING_H
#define ITP_PERF_RECORD_EXISTING_H

#include <glib.h>
#include <linux/perf_event.h>
#include <stdint.h>

#include "plugins/perf/record/kernel-text.h"

/* Told of one record with its trailer, which may be changed and is gone afterwards. */
typedef void itp_recorder_tell(void *data, struct perf_event_header *record);

void itp_recorder_existing_kernel(const struct itp_recorder_kernel_text *text,
				  itp_recorder_tell *tell, void *data);

/* Records of a process that runs; of one that ends meanwhile, as many as could be read. */
void itp_recorder_existing_process(int32_t pid, itp_recorder_tell *tell, void *data);

/* int32_t: all processes with memory of their own. Free with g_array_unref(). */
GArray *itp_recorder_existing_pids(void);

/* int32_t: a process and all below it. Free with g_array_unref(). */
GArray *itp_recorder_existing_tree(int32_t pid);

#endif
