/* SPDX-License-Identifier: MIT */
/*
 * The file that a process of this machine had mapped, known by its inode: another one than what
 * lies at its path here, where the process was in a container or the file was replaced while it
 * ran.
 *
 * For example a program at /app/server in a container: /app/server of the host is another file, or
 * none. While the process runs, its own lies at /proc/PID/root/app/server.
 */
#ifndef ITP_SYMBOL_MAPPED_FILE_H
#define ITP_SYMBOL_MAPPED_FILE_H

#include <stdbool.h>
#include <stdint.h>

struct itp_mapped_file {
	/* 0 when it is not known. */
	uint64_t inode;
	/* 0 when it was recorded elsewhere. */
	int32_t pid;
	/* When the recording had ended, in seconds since 1970; 0 while it goes on. */
	int64_t recorded_s;
};

/* Whether what lies at `path` is not that file, although it lay there when the recording ended. A
 * file that came later is judged by its build id, and so is any where inodes do not tell. */
bool itp_mapped_file_is_elsewhere(const struct itp_mapped_file *mapped, const char *path);

/* Where the file can be read as long as its process runs; NULL when that is not so. Owned by the
 * caller. */
char *itp_mapped_file_of_process(const struct itp_mapped_file *mapped, const char *path);

#endif
