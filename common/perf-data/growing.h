/* SPDX-License-Identifier: MIT */
/*
 * A recording read while perf writes it to a pipe.
 *
 * Its bytes are copied to a file without a name, mapped like any other recording; read parts are
 * cut out of the file again, so neither memory nor the disk fill up. Nothing is taken from the pipe
 * before it is wanted: a slow reader makes perf wait, which then loses events and tells so.
 */
#ifndef ITP_PERF_DATA_GROWING_H
#define ITP_PERF_DATA_GROWING_H

#include "common/perf-data/file.h"

/* Makes `file->growing` and maps the copy, still empty. Returns 0, or ITP_ERROR_COPY or
 * ITP_ERROR_IO with errno set. */
int itp_growing_init(struct itp_perf_file *file, int from);
void itp_growing_free(struct itp_growing *growing);

/* Waits for the first record after the recording's description, or the end. Returns 0, ITP_ERROR_IO
 * or ITP_ERROR_COPY. */
int itp_growing_read_head(struct itp_perf_file *file);

/* Takes the bytes in the pipe. Returns 0, ITP_ERROR_AGAIN for an empty pipe, ITP_ERROR_IO or
 * ITP_ERROR_COPY. At the end of the pipe, 0 with `at_end` set. */
int itp_growing_read(struct itp_perf_file *file);

/* Gives back the bytes [begin, end), not needed again. */
void itp_growing_forget(const struct itp_growing *growing, uint64_t begin, uint64_t end);

#endif
