/* SPDX-License-Identifier: MIT */
/*
 * See write.h. What exists and is no regular file (a pipe, /dev/null) is written to, not
 * replaced; of a symbolic link, the file that it leads to is replaced.
 */
#include "sinks/profiles/write.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include <glib/gstdio.h>

#include "plugins/babeltrace/failure.h"
#include "plugins/terminal/screen.h"
#include "plugins/terminal/terminal.h"

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

/* The file that is going to be `writing->target`, beside it. */
static FILE *open_temporary(struct itp_writing *writing)
{
	char *target = realpath(writing->path, NULL);
	int fd;

	writing->target = g_strdup(target ? target : writing->path);
	free(target);
	writing->temporary = g_strconcat(writing->target, ".XXXXXX", NULL);
	fd = g_mkstemp_full(writing->temporary, O_WRONLY | O_CLOEXEC, FILE_MODE);
	return fd < 0 ? NULL : fdopen(fd, "w");
}

static void clear(struct itp_writing *writing)
{
	g_clear_pointer(&writing->temporary, g_free);
	g_clear_pointer(&writing->target, g_free);
	writing->stream = NULL;
}

bool itp_writing_begin(struct itp_writing *writing, const char *path, GError **error)
{
	*writing = (struct itp_writing){ .path = path };
	if (!path) {
		writing->stream = stdout;
	} else if (is_special(path)) {
		writing->stream = g_fopen(path, "we");
	} else {
		writing->stream = open_temporary(writing);
	}
	if (!writing->stream) {
		fail(path, errno, error);
		clear(writing);
		return false;
	}
	return true;
}

/* Before a file replaces another, all of it is on the disk. 0, or why not. */
static int close_stream(const struct itp_writing *writing)
{
	FILE *stream = writing->stream;
	int code = 0;

	errno = EIO;
	if (fflush(stream) != 0 || ferror(stream) ||
	    (writing->temporary && fsync(fileno(stream)) != 0)) {
		code = errno;
	}
	if (writing->path && fclose(stream) != 0 && code == 0) {
		code = errno;
	}
	return code;
}

bool itp_writing_end(struct itp_writing *writing, bool keep, GError **error)
{
	int code = close_stream(writing);

	if (writing->temporary && keep && code == 0 &&
	    g_rename(writing->temporary, writing->target) != 0) {
		code = errno;
	}
	if (writing->temporary && (!keep || code != 0)) {
		(void)g_unlink(writing->temporary);
	}
	clear(writing);
	return !keep || code == 0 ||
	       fail(writing->path ? writing->path : "standard output", code, error);
}

bool itp_write(const char *path, const GString *text, GError **error)
{
	struct itp_writing writing;

	if (!itp_writing_begin(&writing, path, error)) {
		return false;
	}
	/* The end would no longer know why. */
	if (fwrite(text->str, 1, text->len, writing.stream) != text->len) {
		int code = errno;

		(void)itp_writing_end(&writing, false, NULL);
		return fail(path ? path : "standard output", code, error);
	}
	return itp_writing_end(&writing, true, error);
}

/* In the place of what the terminal shows; all of it, or what the screen holds. */
static GString *in_place(const char *text, bool is_all)
{
	return is_all ? g_string_append(g_string_new(ITP_SCREEN_CLEAR), text) :
			itp_screen_frame(text);
}

bool itp_write_turn(const char *path, bool is_text, enum itp_write_turn turn, const GString *text,
		    GError **error)
{
	g_autoptr(GString) written = NULL;

	if (path) {
		return itp_write(path, text, error);
	}
	if (is_text && isatty(STDOUT_FILENO) && itp_terminal_has_sequences()) {
		written = in_place(text->str, turn == ITP_WRITE_LAST);
	} else {
		written = g_string_new(is_text && turn != ITP_WRITE_FIRST ? "\n" : "");
		g_string_append(written, text->str);
	}
	return itp_write(NULL, written, error);
}
