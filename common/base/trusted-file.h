/* SPDX-License-Identifier: MIT */
/*
 * Files in directories for all, where anybody may have put them under any name: only those of the
 * user who asks, or of root, count.
 */
#ifndef ITP_BASE_TRUSTED_FILE_H
#define ITP_BASE_TRUSTED_FILE_H

#include <stddef.h>

/* A descriptor to read from the file at `path` below `root`, which may be NULL. The caller closes
 * it; -1 when there is no such file, or one that is not this user's or root's, not regular, a
 * symbolic link, or larger than `max_bytes`. */
int itp_trusted_file_open(const char *root, const char *path, size_t max_bytes, size_t *ret_bytes);

#endif
