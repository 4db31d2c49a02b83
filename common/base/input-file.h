/* SPDX-License-Identifier: MIT */
/*
 * Opening files named by an input: recordings come from anywhere, and so do paths in them.
 *
 * Opening alone may have effects: a terminal is made, the writer of a pipe is woken, a watchdog
 * begins to count. A path is looked at first, and opened only for a regular file; the file seen,
 * wherever the path leads meanwhile.
 *
 * Below a root, the directory with another machine's files, a path leads where it led there:
 * neither ".." nor a symbolic link leaves the root.
 */
#ifndef ITP_BASE_INPUT_FILE_H
#define ITP_BASE_INPUT_FILE_H

#include <glib.h>
#include <stddef.h>
#include <sys/stat.h>

/* Descriptor to read from, closed by the caller; -1 with errno set: EISDIR for a directory, EINVAL
 * for anything else but a regular file. */
int itp_input_file_open(const char *path);

/* Place at `path` below `root`, which may be NULL, without opening its file: a descriptor, closed
 * or reopened by the caller; -1 with errno set. A symbolic link may be found with `flags`
 * O_NOFOLLOW. */
int itp_input_file_find(const char *root, const char *path, int flags, struct stat *ret_status);

/* Opens what was found, to read from. Takes `found`. Returns a descriptor, or -1 with errno set. */
int itp_input_file_reopen(int found);

/* Path from this machine's root to the place at `path` below `root`, which may be NULL; NULL, with
 * errno set, when nothing is there. Owned by the caller. */
char *itp_input_file_path(const char *root, const char *path);

/* Opens a file in a directory where anybody may write (/tmp): a descriptor to read from `path`
 * below `root`, which may be NULL, closed by the caller. -1 unless the file is regular, this user's
 * or root's, and of at most `max_bytes`. */
int itp_trusted_file_open(const char *root, const char *path, size_t max_bytes, size_t *ret_bytes);

/* Text of a file named by the user, perhaps a pipe, with a NUL at its end; `what` is the kind of
 * file for errors: "guards". NULL with an error, also for a file of more than `most_bytes`, of
 * which no more is read. Free with g_free(). */
char *itp_input_file_text(const char *path, const char *what, size_t most_bytes, size_t *ret_bytes,
			  GError **error);

#endif
