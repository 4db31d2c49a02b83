/* SPDX-License-Identifier: MIT */
/*
 * See stack-files.h. The directory is locked while the file is read, added to and replaced, as a
 * lock of the file itself would be the old file's.
 */
#include "common/mining-job/stack-files.h"

#include <errno.h>
#include <fcntl.h>
#include <sys/file.h>
#include <unistd.h>

#include "common/base/failure.h"
#include "common/engine/write.h"

static bool read_stacks(struct itp_stack_base *base, const char *path, bool may_be_missing,
			GError **error)
{
	g_autofree char *text = NULL;
	GError *reason = NULL;
	gsize size;

	if (g_file_get_contents(path, &text, &size, &reason)) {
		itp_stack_base_read(base, text, size, path, &reason);
	} else if (may_be_missing && g_error_matches(reason, G_FILE_ERROR, G_FILE_ERROR_NOENT)) {
		g_clear_error(&reason);
	}
	if (reason) {
		g_propagate_prefixed_error(error, reason, "parameter \"stacks\": ");
		return false;
	}
	return true;
}

bool itp_stack_files_read(struct itp_stack_base *base, const GPtrArray *paths, GError **error)
{
	for (guint i = 0; i < paths->len; i++) {
		if (!read_stacks(base, g_ptr_array_index(paths, i), i == 0, error)) {
			return false;
		}
	}
	return true;
}

/* A descriptor, or -1. */
static int lock_directory(const char *path, GError **error)
{
	g_autofree char *directory = g_path_get_dirname(path);
	int descriptor = open(directory, O_RDONLY | O_DIRECTORY | O_CLOEXEC);

	while (descriptor >= 0 && flock(descriptor, LOCK_EX) != 0) {
		if (errno != EINTR) {
			int code = errno;

			close(descriptor);
			errno = code;
			descriptor = -1;
		}
	}
	if (descriptor < 0) {
		itp_failure_set(error, "parameter \"stacks\": cannot lock %s: %s", directory,
				g_strerror(errno));
	}
	return descriptor;
}

bool itp_stack_files_grow(struct itp_stack_base *base, const char *path, GError **error)
{
	g_autoptr(GString) text = g_string_new(NULL);
	g_autofree char *dumped = NULL;
	int descriptor = lock_directory(path, error);
	bool done = descriptor >= 0 && read_stacks(base, path, true, error);

	if (done) {
		dumped = itp_stack_base_text(base);
		g_string_append(text, dumped);
		done = itp_write(path, text, error);
	}
	if (descriptor >= 0) {
		close(descriptor);
	}
	return done;
}
