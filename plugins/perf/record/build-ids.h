/* SPDX-License-Identifier: MIT */
/*
 * Build ids of mapped files. The kernel could tell them with each mapping; but a kernel that does
 * so for one recorder marks records of others, which get no build id, likewise (seen with Linux
 * 6.18), and spoils recordings of perf at the same time.
 */
#ifndef ITP_PERF_RECORD_BUILD_IDS_H
#define ITP_PERF_RECORD_BUILD_IDS_H

#include <linux/perf_event.h>

struct itp_recorder_build_ids;

struct itp_recorder_build_ids *itp_recorder_build_ids_new(void);
void itp_recorder_build_ids_free(struct itp_recorder_build_ids *ids);

/* Puts the build id into a PERF_RECORD_MMAP2 with a file's numbers, if the file is still there.
 * Other records stay as they are. */
void itp_recorder_build_ids_add(struct itp_recorder_build_ids *ids,
				struct perf_event_header *record);

/* Takes a file that no record maps with its numbers. */
void itp_recorder_build_ids_note(struct itp_recorder_build_ids *ids, const char *path);

/* Has perf put the files into its cache (~/.debug) that are not in it, as it does when it records:
 * a program that is built anew for the next recording still has the names of this one. Nothing
 * happens without perf. */
void itp_recorder_build_ids_keep(const struct itp_recorder_build_ids *ids);

#endif
