/* SPDX-License-Identifier: MIT */
/*
 * The file of saved profiles: records of common/schema in bytes, the same for all programs and
 * machines. introperf-profile(5) describes it.
 *
 *   writing.c   profiles → bytes
 *   reading.c   bytes, whoever has made them → workloads of a set
 *     layouts.c   layouts told by a file, held against one's own
 *     bytes.c     numbers and texts in bytes
 *     intake.c    records → a workload, also for messages
 *
 * Places of files are left to common/engine, and traces in CTF to graphs.
 */
#ifndef ITP_PROFILE_FILE_PROFILE_FILE_H
#define ITP_PROFILE_FILE_PROFILE_FILE_H

#include <glib.h>
#include <stdbool.h>

#include "common/compare/workload-set.h"
#include "common/infer/profile-source.h"

/* First bytes of a file. */
#define ITP_PROFILE_FILE_MAGIC "introperf-prof\r\n"
#define ITP_PROFILE_FILE_MAGIC_BYTES (sizeof(ITP_PROFILE_FILE_MAGIC) - 1)
/* Version of the format: larger when files cannot be read by older programs. New fields, records
 * and sections can. */
#define ITP_PROFILE_FILE_VERSION 1

/* Bytes of a file, without profiles yet. Free with g_string_free(). */
GString *itp_profile_file_begin(void);
void itp_profile_file_add(GString *file, const struct itp_memory_profile *profile);
/* Completes the bytes. */
void itp_profile_file_end(GString *file);

/* True when the regular file at `path` begins as one with profiles does. */
bool itp_profile_file_probe(const char *path);

/* Makes each profile in `bytes` a workload of `set`; `path` is their place, for errors. After an
 * error, the set holds some part of them. */
bool itp_profile_file_parse(const char *bytes, size_t size, const char *path,
			    struct itp_workload_set *set, GError **error);
/* Likewise the file at `path`. */
bool itp_profile_file_read(const char *path, struct itp_workload_set *set, GError **error);

#endif
