/* SPDX-License-Identifier: MIT */
/* See temp-file.h. */
#define _GNU_SOURCE /* O_TMPFILE */
#include "common/base/temp-file.h"

#include <errno.h>
#include <fcntl.h>
#include <glib.h>
#include <glib/gstdio.h>
#include <signal.h>
#include <stdbool.h>
#include <unistd.h>

#include "common/base/error.h"

#define FILE_MODE 0600

/* For file systems that know no files without a name. No signal ends the process in between. */
static int open_named(const char *directory)
{
	g_autofree char *path = g_build_filename(directory, "introperf.XXXXXX", NULL);
	sigset_t all;
	sigset_t before;
	int fd;

	sigfillset(&all);
	pthread_sigmask(SIG_SETMASK, &all, &before);
	fd = g_mkstemp_full(path, O_RDWR | O_CLOEXEC, FILE_MODE);
	if (fd >= 0) {
		(void)g_unlink(path);
	}
	pthread_sigmask(SIG_SETMASK, &before, NULL);
	return fd;
}

int itp_temp_file_open(const char *directory)
{
	int fd = open(directory, O_TMPFILE | O_EXCL | O_RDWR | O_CLOEXEC, FILE_MODE);

	if (fd < 0 && (errno == EOPNOTSUPP || errno == EISDIR)) {
		fd = open_named(directory);
	}
	return fd < 0 ? ITP_ERROR_IO : fd;
}

/* Reads or writes all of `data`, and only reads it when it writes. The end of a file is an error,
 * and so is a full disk. */
static int transfer(int fd, char *data, size_t bytes, uint64_t offset, bool writes)
{
	while (bytes > 0) {
		ssize_t done = writes ? pwrite(fd, data, bytes, (off_t)offset) :
					pread(fd, data, bytes, (off_t)offset);

		if (done < 0 && errno == EINTR) {
			continue;
		}
		if (done == 0) {
			errno = EIO;
		}
		if (done <= 0) {
			return ITP_ERROR_IO;
		}
		data += done;
		bytes -= (size_t)done;
		offset += (uint64_t)done;
	}
	return ITP_OK;
}

int itp_temp_file_write(int fd, const void *data, size_t bytes, uint64_t offset)
{
	return transfer(fd, (char *)data, bytes, offset, true);
}

int itp_temp_file_read(int fd, void *data, size_t bytes, uint64_t offset)
{
	return transfer(fd, data, bytes, offset, false);
}
