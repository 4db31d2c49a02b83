/* SPDX-License-Identifier: MIT */
/*
 * File mapped by a process of this machine, known by its inode: it differs from the file at its
 * path here where the process was in a container, or the file was replaced while it ran.
 *
 * For example a program at /app/server in a container: /app/server of the host is another file, or
 * none. While the process runs, its own lies at /proc/PID/root/app/server.
 */
#ifndef ITP_SYMBOL_MAPPED_FILE_H
#define ITP_SYMBOL_MAPPED_FILE_H

#include <stdbool.h>
#include <stdint.h>

struct itp_mapped_file {
	/* Inode, 0 when unknown. */
	uint64_t inode;
	/* Process id, 0 for a recording from elsewhere. */
	int32_t pid;
	/* End of the recording, in seconds since 1970; 0 while it goes on. */
	int64_t recorded_s;
};

/* True when `path` leads to another file, although one lay there when the recording ended. A file
 * that came later is judged by its build id, and so is any where inodes do not tell. */
bool itp_mapped_file_is_elsewhere(const struct itp_mapped_file *mapped, const char *path);

/* Path at which the file can be read as long as its process runs; NULL without any. Owned by the
 * caller. */
char *itp_mapped_file_of_process(const struct itp_mapped_file *mapped, const char *path);

#endif
