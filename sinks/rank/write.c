/* SPDX-License-Identifier: MIT */
/*
 * See write.h. What exists and is no regular file (a pipe, /dev/null) is written to, not
 * replaced; of a symbolic link, the file that it leads to is replaced.
 */
#include "sinks/rank/write.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include <glib/gstdio.h>

#include "plugins/babeltrace/failure.h"

#define FILE_MODE 0666

static bool fail(const char *path, int code, GError **error)
{
	itp_failure_set(error, "%s: cannot write: %s", path, g_strerror(code));
	return false;
}

/* What is written to as it is, not replaced. */
static bool is_special(const char *path)
{
	return g_file_test(path, G_FILE_TEST_EXISTS) && !g_file_test(path, G_FILE_TEST_IS_REGULAR);
}

bool itp_write_check(const char *path, GError **error)
{
	g_autofree char *directory = g_path_get_dirname(path);

	if (g_file_test(path, G_FILE_TEST_IS_DIR)) {
		return fail(path, EISDIR, error);
	}
	if (g_access(is_special(path) ? path : directory, W_OK) != 0) {
		return fail(path, errno, error);
	}
	return true;
}

static bool write_stream(FILE *stream, const char *path, const GString *text, GError **error)
{
	if (fwrite(text->str, 1, text->len, stream) != text->len || fflush(stream) != 0) {
		return fail(path, errno, error);
	}
	return true;
}

static bool write_special(const char *path, const GString *text, GError **error)
{
	FILE *stream = g_fopen(path, "w");
	bool done;

	if (!stream) {
		return fail(path, errno, error);
	}
	done = write_stream(stream, path, text, error);
	if (fclose(stream) != 0 && done) {
		return fail(path, errno, error);
	}
	return done;
}

static bool replace_file(const char *path, const GString *text, GError **error)
{
	char *target = realpath(path, NULL);
	GError *reason = NULL;

	g_file_set_contents_full(target ? target : path, text->str, (gssize)text->len,
				 G_FILE_SET_CONTENTS_CONSISTENT, FILE_MODE, &reason);
	free(target);
	if (reason) {
		itp_failure_set(error, "%s: cannot write: %s", path, reason->message);
		g_error_free(reason);
		return false;
	}
	return true;
}

bool itp_write(const char *path, const GString *text, GError **error)
{
	if (!path) {
		return write_stream(stdout, "standard output", text, error);
	}
	if (is_special(path)) {
		return write_special(path, text, error);
	}
	return replace_file(path, text, error);
}
