/* SPDX-License-Identifier: MIT */
/*
 * Opens first and looks then, so that nobody can put another file there in between.
 */
#include "common/symbol/trusted-file.h"

#include <fcntl.h>
#include <stdbool.h>
#include <stdint.h>
#include <sys/stat.h>
#include <unistd.h>

static bool is_trusted(const struct stat *status, size_t max_bytes)
{
	return S_ISREG(status->st_mode) && (uint64_t)status->st_size <= max_bytes &&
	       (status->st_uid == geteuid() || status->st_uid == 0);
}

int itp_trusted_file_open(const char *path, size_t max_bytes, size_t *ret_bytes)
{
	/* Without O_NONBLOCK a named pipe would block for ever. */
	int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY | O_NOFOLLOW);
	struct stat status;

	if (fd < 0) {
		return -1;
	}
	if (fstat(fd, &status) != 0 || !is_trusted(&status, max_bytes)) {
		close(fd);
		return -1;
	}
	*ret_bytes = (size_t)status.st_size;
	return fd;
}
