/* SPDX-License-Identifier: MIT */
/*
 * Recordings that are a directory: PATH/data is the recording itself, or perf's own records.
 *
 * `perf record --kcore` puts the kernel's code and symbols beside it, in PATH/kcore_dir. With
 * --threads, several threads of perf write, and each buffer has a file of its own: PATH/data.0 and
 * so on. The directory comes from anywhere, and so do its files: a part that is missing, foreign,
 * or no regular file is an error, as the recording would lack a CPU.
 */
#ifndef ITP_PERF_DATA_DIRECTORY_H
#define ITP_PERF_DATA_DIRECTORY_H

#include "common/perf-data/file.h"

/* The file with the records: `path` itself unless a directory with a recording. Owned by the
 * caller. */
char *itp_perf_directory_data(const char *path);

/* Opens and checks `path`, with its parts, if any. On error the file is released; errno is set for
 * ITP_ERROR_IO, and *ret_part is the name of the faulty part, or NULL; owned by the caller. */
int itp_perf_directory_open(struct itp_perf_file *file, const char *path, char **ret_part);

/* The copy of the kernel's memory; NULL for none. Owned by the caller. */
char *itp_perf_directory_kcore(const char *path);

#endif
