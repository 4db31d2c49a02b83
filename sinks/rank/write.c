/* SPDX-License-Identifier: MIT */
/*
 * See write.h. What exists and is no regular file (a pipe, /dev/null) is written to, not
 * replaced; of a symbolic link, the file that it leads to is replaced.
 */
#include "sinks/rank/write.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include <glib/gstdio.h>

#include "plugins/babeltrace/failure.h"

#define DEFAULT_HEIGHT 24
#define FILE_MODE 0666

/* What terminals understand. */
#define CURSOR_HOME "\033[H"
#define CLEAR_LINE "\033[K"
#define CLEAR_BELOW "\033[J"

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

static unsigned int screen_rows(void)
{
	struct winsize size;

	return ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_row > 1 ? size.ws_row :
										 DEFAULT_HEIGHT;
}

/* `text` in the place of what the screen shows; all of it, or what the screen holds. */
static GString *screen_of(const char *text, bool is_all)
{
	GString *screen = g_string_new(CURSOR_HOME);
	g_auto(GStrv) lines = g_strsplit(text, "\n", -1);
	guint count = g_strv_length(lines) - 1;
	guint shown = is_all ? count : MIN(count, screen_rows() - 1);

	for (guint i = 0; i < shown; i++) {
		g_string_append_printf(screen, "%s" CLEAR_LINE "\n", lines[i]);
	}
	return g_string_append(screen, CLEAR_BELOW);
}

bool itp_write_turn(const char *path, bool is_text, enum itp_write_turn turn, const GString *text,
		    GError **error)
{
	g_autoptr(GString) written = NULL;

	if (path) {
		return itp_write(path, text, error);
	}
	if (is_text && isatty(STDOUT_FILENO)) {
		written = screen_of(text->str, turn == ITP_WRITE_LAST);
	} else {
		written = g_string_new(is_text && turn != ITP_WRITE_FIRST ? "\n" : "");
		g_string_append(written, text->str);
	}
	return itp_write(NULL, written, error);
}
