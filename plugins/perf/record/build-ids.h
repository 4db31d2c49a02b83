/* SPDX-License-Identifier: MIT */
/*
 * Build ids of mapped files, read from the files. The kernel could add them to mappings; but if any
 * recorder asks for them, the kernel also marks records of other recorders, which get no build id
 * (seen with Linux 6.18): recordings of perf at the time would be spoiled.
 */
#ifndef ITP_PERF_RECORD_BUILD_IDS_H
#define ITP_PERF_RECORD_BUILD_IDS_H

#include <linux/perf_event.h>

struct itp_recorder_build_ids;

struct itp_recorder_build_ids *itp_recorder_build_ids_new(void);
void itp_recorder_build_ids_free(struct itp_recorder_build_ids *ids);

/* Replaces the file's numbers in an executable PERF_RECORD_MMAP2 by the build id, if the file still
 * exists. Other records stay unchanged. */
void itp_recorder_build_ids_add(struct itp_recorder_build_ids *ids,
				struct perf_event_header *record);

/* Notes the file at `path`, mapped by no record with its numbers: the names of interpreted.h. */
void itp_recorder_build_ids_note(struct itp_recorder_build_ids *ids, const char *path);

/* Has perf put missing files into its cache (~/.debug), as perf does when recording: a program
 * built anew for the next recording still has its names here. Files of containers are copied by the
 * recorder; all others are left out without perf. */
void itp_recorder_build_ids_keep(const struct itp_recorder_build_ids *ids);

#endif
