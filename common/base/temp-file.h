/* SPDX-License-Identifier: MIT */
/*
 * File without a name, for data too large for memory. It goes with its descriptor.
 */
#ifndef ITP_BASE_TEMP_FILE_H
#define ITP_BASE_TEMP_FILE_H

#include <stddef.h>
#include <stdint.h>

/* Descriptor, or ITP_ERROR_IO with errno, of a file below `directory`. */
int itp_temp_file_open(const char *directory);

/* Exactly `bytes` bytes at `offset`. ITP_ERROR_IO with errno. */
int itp_temp_file_write(int fd, const void *data, size_t bytes, uint64_t offset);
int itp_temp_file_read(int fd, void *data, size_t bytes, uint64_t offset);

#endif
