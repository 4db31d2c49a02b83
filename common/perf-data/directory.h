/* SPDX-License-Identifier: MIT */
/*
 * Recordings that are a directory: `perf record --kcore` makes PATH/data, the recording itself, and
 * PATH/kcore_dir with the kernel's code and symbols.
 */
#ifndef ITP_PERF_DATA_DIRECTORY_H
#define ITP_PERF_DATA_DIRECTORY_H

#include <stdbool.h>

/* The file with the records: `path` itself unless that is a directory with one. Owned by the
 * caller. */
char *itp_perf_directory_data(const char *path);

/* Further files have records: there is one for each thread of `perf record --threads`. */
bool itp_perf_directory_is_split(const char *path);

/* The copy of the kernel's memory; NULL when there is none. Owned by the caller. */
char *itp_perf_directory_kcore(const char *path);

#endif
