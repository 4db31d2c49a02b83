/* SPDX-License-Identifier: MIT */
/*
 * Which build a mapped file is of. The kernel could tell it with each mapping; but one that does so
 * for one recorder marks the records of others, to which it does not tell it, likewise (seen with
 * Linux 6.18), and spoils recordings that perf makes at the same time.
 */
#ifndef ITP_PERF_RECORD_BUILD_IDS_H
#define ITP_PERF_RECORD_BUILD_IDS_H

#include <linux/perf_event.h>

struct itp_recorder_build_ids;

struct itp_recorder_build_ids *itp_recorder_build_ids_new(void);
void itp_recorder_build_ids_free(struct itp_recorder_build_ids *ids);

/* Puts the build id into a PERF_RECORD_MMAP2 that tells where the file is, if that is there still.
 * Other records stay as they are. */
void itp_recorder_build_ids_add(struct itp_recorder_build_ids *ids,
				struct perf_event_header *record);

#endif
