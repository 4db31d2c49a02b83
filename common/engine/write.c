/* SPDX-License-Identifier: MIT */
/*
 * See write.h. A file is written without a name, and gets its name when it is whole: whatever ends
 * the process before leaves nothing. Only where the file system has no such files there is one with
 * a name of its own, and then signals wait for its end. An existing place that is no regular file
 * (a pipe, /dev/null) is written to, not replaced; behind a symbolic link, its target is replaced.
 */
#define _GNU_SOURCE /* O_TMPFILE, fopencookie() */
#include "common/engine/write.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdio_ext.h>
#include <unistd.h>

#include "common/base/failure.h"
#include "terminal/screen.h"
#include "terminal/terminal.h"

#define FILE_MODE 0666
/* Mode of a file until it takes the replaced file's. */
#define OWN_MODE 0600
#define PERMISSIONS (S_IRWXU | S_IRWXG | S_IRWXO)
#define REFUSAL "cannot write"
#define STANDARD_OUTPUT "standard output"

static const char *name_of(const char *path)
{
	return path ? path : STANDARD_OUTPUT;
}

static bool fail(const char *path, int code, GError **error)
{
	itp_failure_set(error, "%s: " REFUSAL ": %s", name_of(path), g_strerror(code));
	return false;
}

/* Like itp_place_find(), but a directory is an error. */
static bool find(struct itp_place *place, const char *path, GError **error)
{
	return itp_place_find(place, path, REFUSAL, error) &&
	       (!S_ISDIR(place->status.st_mode) || fail(path, EISDIR, error));
}

/* True for a place written to as it is, not replaced. */
static bool is_special(const struct itp_place *place)
{
	return place->is_descriptor || (place->exists && !S_ISREG(place->status.st_mode));
}

static bool check_stream(const GPtrArray *inputs, GError **error)
{
	struct itp_place place = { .directory = -1 };

	place.exists = fstat(STDOUT_FILENO, &place.status) == 0 && S_ISREG(place.status.st_mode);
	return !place.exists || itp_place_check_inputs(&place, STANDARD_OUTPUT, inputs, error);
}

bool itp_write_check(const char *path, const GPtrArray *inputs, GError **error)
{
	struct itp_place place;
	bool done;

	if (!path) {
		return check_stream(inputs, error);
	}
	done = find(&place, path, error);
	if (done && faccessat(place.directory, is_special(&place) ? place.name : ".", W_OK,
			      AT_EACCESS) != 0) {
		done = fail(path, errno, error);
	}
	done = done && itp_place_check_inputs(&place, path, inputs, error);
	itp_place_release(&place);
	return done;
}

/* The place may have been replaced since the look. */
static int open_special(const struct itp_place *place)
{
	const int flags = place->is_descriptor ? O_APPEND : O_NOFOLLOW;
	int fd = openat(place->directory, place->name, O_WRONLY | O_CLOEXEC | O_NOCTTY | flags);
	struct stat status;

	if (fd >= 0 && (fstat(fd, &status) != 0 || status.st_dev != place->status.st_dev ||
			status.st_ino != place->status.st_ino)) {
		close(fd);
		errno = ESTALE;
		fd = -1;
	}
	return fd;
}

static char *descriptor_path(int fd)
{
	return g_strdup_printf("/proc/self/fd/%d", fd);
}

/* Unnamed file; -1 where it could not get a name later. */
static int open_unnamed(const struct itp_place *place)
{
	int fd = openat(place->directory, ".", O_TMPFILE | O_WRONLY | O_CLOEXEC, FILE_MODE);
	g_autofree char *path = descriptor_path(fd);

	if (fd >= 0 && access(path, F_OK) != 0) {
		close(fd);
		fd = -1;
	}
	return fd;
}

static char *new_name(void)
{
	return g_strdup_printf(".introperf-%08x", g_random_int());
}

static void block_signals(sigset_t *ret_before)
{
	static const int signals[] = { SIGINT, SIGTERM, SIGHUP, SIGQUIT };
	sigset_t set;

	sigemptyset(&set);
	for (size_t i = 0; i < G_N_ELEMENTS(signals); i++) {
		sigaddset(&set, signals[i]);
	}
	pthread_sigmask(SIG_BLOCK, &set, ret_before);
}

/* -1 after an error, with errno. */
static int open_named(struct itp_writing *writing)
{
	const mode_t mode = writing->place.exists ? OWN_MODE : FILE_MODE;
	int fd;

	block_signals(&writing->signals);
	do {
		g_free(writing->temporary);
		writing->temporary = new_name();
		fd = openat(writing->place.directory, writing->temporary,
			    O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, mode);
	} while (fd < 0 && errno == EEXIST);
	if (fd < 0) {
		int code = errno;

		g_clear_pointer(&writing->temporary, g_free);
		pthread_sigmask(SIG_SETMASK, &writing->signals, NULL);
		errno = code;
	}
	return fd;
}

static int open_output(struct itp_writing *writing)
{
	int fd;

	if (is_special(&writing->place)) {
		return open_special(&writing->place);
	}
	writing->replaces = true;
	fd = open_unnamed(&writing->place);
	return fd >= 0 ? fd : open_named(writing);
}

static void release(struct itp_writing *writing, bool done)
{
	if (writing->temporary) {
		if (!done) {
			(void)unlinkat(writing->place.directory, writing->temporary, 0);
		}
		pthread_sigmask(SIG_SETMASK, &writing->signals, NULL);
	}
	g_clear_pointer(&writing->temporary, g_free);
	itp_place_release(&writing->place);
	writing->stream = NULL;
}

/* Writes all of it for the stream, to which a part is an error. The first error is kept, as a
 * stream only knows that there was any, and nothing is written behind it. Returns 0 after an error,
 * as fopencookie() expects. */
static ssize_t write_all(void *cookie, const char *bytes, size_t size)
{
	struct itp_writing *writing = cookie;
	size_t done = 0;

	while (writing->failure == 0 && done < size) {
		ssize_t written = TEMP_FAILURE_RETRY(write(writing->fd, bytes + done, size - done));

		if (written <= 0) {
			writing->failure = written < 0 ? errno : EIO;
		} else {
			done += (size_t)written;
		}
	}
	return writing->failure == 0 ? (ssize_t)size : 0;
}

static FILE *open_stream(struct itp_writing *writing)
{
	const cookie_io_functions_t functions = { .write = write_all };

	return writing->fd < 0 ? NULL : fopencookie(writing, "w", functions);
}

/* Earlier output stays in front; if it cannot be written, no more is. */
static void follow_stdout(struct itp_writing *writing)
{
	writing->fd = STDOUT_FILENO;
	if (fflush(stdout) != 0) {
		writing->failure = errno;
		__fpurge(stdout);
		clearerr(stdout);
	}
}

static void close_descriptor(struct itp_writing *writing)
{
	if (writing->path && writing->fd >= 0 && close(writing->fd) != 0 && writing->failure == 0) {
		writing->failure = errno;
	}
}

bool itp_writing_begin(struct itp_writing *writing, const char *path, GError **error)
{
	*writing = (struct itp_writing){ .path = path, .place = { .directory = -1 } };
	if (!path) {
		follow_stdout(writing);
	} else if (!find(&writing->place, path, error)) {
		itp_place_release(&writing->place);
		return false;
	} else {
		writing->fd = open_output(writing);
	}
	writing->stream = open_stream(writing);
	if (!writing->stream) {
		int code = errno;

		close_descriptor(writing);
		release(writing, false);
		return fail(path, code, error);
	}
	return true;
}

/* Keeps the mode of the replaced file and, where possible, its owner and group. Another group gets
 * no more than everybody has. A file put there by an untrusted user decides nothing. */
static bool take_over(int fd, const struct itp_place *place)
{
	const struct stat *status = &place->status;
	mode_t mode = status->st_mode & PERMISSIONS;
	const mode_t everybody = mode & S_IRWXO;

	if (!place->exists || !place->is_trusted) {
		return true;
	}
	if (fchown(fd, status->st_uid, status->st_gid) != 0 &&
	    fchown(fd, (uid_t)-1, status->st_gid) != 0) {
		mode &= (mode_t)(S_IRWXU | everybody << 3 | everybody);
	}
	return fchmod(fd, mode) == 0;
}

/* Gives a file without a name the output's name. */
static bool publish_unnamed(const struct itp_writing *writing, int fd)
{
	const struct itp_place *place = &writing->place;
	g_autofree char *path = descriptor_path(fd);
	g_autofree char *name = NULL;
	int code;

	if (!place->exists &&
	    linkat(AT_FDCWD, path, place->directory, place->name, AT_SYMLINK_FOLLOW) == 0) {
		return true;
	}
	/* Existing files cannot be replaced at once. */
	do {
		g_free(name);
		name = new_name();
		code = linkat(AT_FDCWD, path, place->directory, name, AT_SYMLINK_FOLLOW);
	} while (code != 0 && errno == EEXIST);
	if (code != 0) {
		return false;
	}
	if (renameat(place->directory, name, place->directory, place->name) != 0) {
		code = errno;
		(void)unlinkat(place->directory, name, 0);
		errno = code;
	}
	return code == 0;
}

static bool publish(const struct itp_writing *writing, int fd)
{
	const struct itp_place *place = &writing->place;
	sigset_t signals;
	bool done;

	if (writing->temporary) {
		return renameat(place->directory, writing->temporary, place->directory,
				place->name) == 0;
	}
	block_signals(&signals);
	done = publish_unnamed(writing, fd);
	pthread_sigmask(SIG_SETMASK, &signals, NULL);
	return done;
}

/* Before a file replaces another, all of it is on the disk. Returns 0, or why not, as errno. */
static int finish(const struct itp_writing *writing, bool keep)
{
	if (fflush(writing->stream) != 0 || ferror(writing->stream) || writing->failure != 0) {
		return writing->failure != 0 ? writing->failure : EIO;
	}
	if (writing->replaces && keep &&
	    !(take_over(writing->fd, &writing->place) && fsync(writing->fd) == 0 &&
	      publish(writing, writing->fd))) {
		return errno;
	}
	return 0;
}

bool itp_writing_end(struct itp_writing *writing, bool keep, GError **error)
{
	int code = finish(writing, keep);
	bool is_written = code == 0;

	(void)fclose(writing->stream);
	close_descriptor(writing);
	code = is_written ? writing->failure : code;
	release(writing, keep && is_written);
	return !keep || code == 0 || fail(writing->path, code, error);
}

bool itp_write(const char *path, const GString *text, GError **error)
{
	struct itp_writing writing;

	if (!itp_writing_begin(&writing, path, error)) {
		return false;
	}
	(void)fwrite(text->str, 1, text->len, writing.stream);
	return itp_writing_end(&writing, true, error);
}

/* Text in place of the previous one on a terminal; all of it, or a screenful. */
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
