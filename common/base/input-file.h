/* SPDX-License-Identifier: MIT */
/*
 * Opening files that an input names: recordings come from anywhere, and so do the paths in them.
 *
 * Opening alone may have effects: a terminal is made, who writes to a pipe is woken, a watchdog
 * begins to count. So a path is looked at first, and opened only if there is a regular file; that
 * very file, whatever the path leads to meanwhile.
 *
 * Below a root, the directory with the files of another machine, a path leads where it would have
 * led there: neither ".." nor a symbolic link leaves it.
 */
#ifndef ITP_BASE_INPUT_FILE_H
#define ITP_BASE_INPUT_FILE_H

#include <glib.h>
#include <stddef.h>
#include <sys/stat.h>

/* A descriptor to read from, which the caller closes; -1 with errno set. That is EISDIR for a
 * directory, EINVAL for anything else that is no regular file. */
int itp_input_file_open(const char *path);

/* What lies at `path` below `root`, which may be NULL, without opening it: a descriptor that the
 * caller closes or reopens; -1 with errno set. With `flags` O_NOFOLLOW that may be a symbolic
 * link. */
int itp_input_file_find(const char *root, const char *path, int flags, struct stat *ret_status);

/* Opens what was found, to read from. Takes `found`. Returns a descriptor, or -1 with errno set. */
int itp_input_file_reopen(int found);

/* A path without a root to what lies at `path` below `root`, which may be NULL; NULL, with errno
 * set, when nothing is there. Owned by the caller. */
char *itp_input_file_path(const char *root, const char *path);

/* In directories for all anybody may have put files under any name: a descriptor to read from the
 * file at `path` below `root`, which may be NULL, and that is this user's or root's. The caller
 * closes it; -1 when there is no such file, or one that is somebody else's, not regular, a symbolic
 * link, or larger than `max_bytes`. */
int itp_trusted_file_open(const char *root, const char *path, size_t max_bytes, size_t *ret_bytes);

/* All of a file that the user names, which may be a pipe, as a text with a NUL behind it; `what` it
 * is a file of is for errors: "guards". NULL with an error, also for a file of more than
 * `most_bytes`, of which no more than that is read. Free with g_free(). */
char *itp_input_file_text(const char *path, const char *what, size_t most_bytes, size_t *ret_bytes,
			  GError **error);

#endif
