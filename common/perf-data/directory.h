/* SPDX-License-Identifier: MIT */
/*
 * Recordings that are a directory: PATH/data is the recording itself, or what perf itself wrote.
 *
 * `perf record --kcore` puts the kernel's code and symbols beside it, in PATH/kcore_dir. With
 * --threads, several threads of perf write, and each buffer has a file of its own: PATH/data.0 and
 * so on. The directory comes from anywhere, and so do its files: a part that is not there, does not
 * belong there or is no regular file is an error, as without it the recording lacks a CPU.
 */
#ifndef ITP_PERF_DATA_DIRECTORY_H
#define ITP_PERF_DATA_DIRECTORY_H

#include "common/perf-data/file.h"

/* The file with the records: `path` itself unless that is a directory with one. Owned by the
 * caller. */
char *itp_perf_directory_data(const char *path);

/* Opens and checks `path`, with its parts if it has some. On error the file is released; errno is
 * set for ITP_ERROR_IO, and *ret_part is the name of the part that the error is about, or NULL;
 * owned by the caller. */
int itp_perf_directory_open(struct itp_perf_file *file, const char *path, char **ret_part);

/* The copy of the kernel's memory; NULL when there is none. Owned by the caller. */
char *itp_perf_directory_kcore(const char *path);

#endif
