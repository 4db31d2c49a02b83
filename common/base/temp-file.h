/* SPDX-License-Identifier: MIT */
/*
 * A file without a name, for what is too large to be kept in memory. It goes with its descriptor.
 */
#ifndef ITP_BASE_TEMP_FILE_H
#define ITP_BASE_TEMP_FILE_H

#include <stddef.h>
#include <stdint.h>

/* A descriptor, or ITP_ERROR_IO with errno. `directory` is where it takes its room. */
int itp_temp_file_open(const char *directory);

/* Exactly `bytes` bytes at `offset`. ITP_ERROR_IO with errno. */
int itp_temp_file_write(int fd, const void *data, size_t bytes, uint64_t offset);
int itp_temp_file_read(int fd, void *data, size_t bytes, uint64_t offset);

#endif
