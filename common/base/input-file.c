/* SPDX-License-Identifier: MIT */
/*
 * See input-file.h. O_PATH opens a place; /proc/self/fd opens the file there.
 *
 * The kernel confines a path to a root since Linux 5.6. Before, or where a sandbox forbids it, a
 * path is followed without a root, and refused when it has led out.
 */
#define _GNU_SOURCE /* O_PATH */

#include "common/base/input-file.h"

#include <errno.h>
#include <fcntl.h>
#include <glib.h>
#include <linux/openat2.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

static void close_quietly(int descriptor)
{
	int saved_errno = errno;

	if (descriptor >= 0) {
		close(descriptor);
	}
	errno = saved_errno;
}

/* Path of a descriptor's file; NULL with errno set. */
static char *path_of_descriptor(int descriptor)
{
	g_autofree char *link = g_strdup_printf("/proc/self/fd/%d", descriptor);

	return realpath(link, NULL);
}

static bool is_below(int root, int found)
{
	g_autofree char *directory = path_of_descriptor(root);
	g_autofree char *place = directory ? path_of_descriptor(found) : NULL;
	size_t length = directory ? strlen(directory) : 0;

	/* Only "/" ends with a slash. */
	length -= length == 1;
	return place && strncmp(place, directory, length) == 0 && place[length] == '/';
}

static int find_without_kernel(int root, const char *path, int flags)
{
	int found = openat(root, path + strspn(path, "/"), O_PATH | O_CLOEXEC | flags);

	if (found >= 0 && !is_below(root, found)) {
		close(found);
		errno = EXDEV;
		return -1;
	}
	return found;
}

static int find_below(const char *root, const char *path, int flags)
{
	const struct open_how how = { .flags = (unsigned int)(O_PATH | O_CLOEXEC | flags),
				      .resolve = RESOLVE_IN_ROOT | RESOLVE_NO_MAGICLINKS };
	int directory = open(root, O_PATH | O_DIRECTORY | O_CLOEXEC);
	int found = -1;

	if (directory >= 0) {
		found = (int)syscall(SYS_openat2, directory, path, &how, sizeof(how));
	}
	if (directory >= 0 && found < 0 && (errno == ENOSYS || errno == EPERM)) {
		found = find_without_kernel(directory, path, flags);
	}
	close_quietly(directory);
	return found;
}

int itp_input_file_find(const char *root, const char *path, int flags, struct stat *ret_status)
{
	int found = root ? find_below(root, path, flags) : open(path, O_PATH | O_CLOEXEC | flags);

	if (found >= 0 && fstat(found, ret_status) != 0) {
		close_quietly(found);
		return -1;
	}
	return found;
}

int itp_input_file_reopen(int found)
{
	g_autofree char *link = g_strdup_printf("/proc/self/fd/%d", found);
	int file = open(link, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);

	close_quietly(found);
	return file;
}

int itp_input_file_open(const char *path)
{
	struct stat status;
	int found = itp_input_file_find(NULL, path, 0, &status);

	if (found >= 0 && !S_ISREG(status.st_mode)) {
		close(found);
		errno = S_ISDIR(status.st_mode) ? EISDIR : EINVAL;
		return -1;
	}
	return found < 0 ? -1 : itp_input_file_reopen(found);
}

/* True when the usual path, known to people, leads to the file as well. */
static bool leads_to(const char *path, const struct stat *wanted)
{
	struct stat status;

	return stat(path, &status) == 0 && status.st_dev == wanted->st_dev &&
	       status.st_ino == wanted->st_ino;
}

char *itp_input_file_path(const char *root, const char *path)
{
	g_autofree char *joined = g_strconcat(root ? root : "", path, NULL);
	struct stat status;
	char *place;
	int found;

	if (!root) {
		return g_steal_pointer(&joined);
	}
	found = itp_input_file_find(root, path, 0, &status);
	if (found < 0) {
		return NULL;
	}
	place = leads_to(joined, &status) ? g_steal_pointer(&joined) : path_of_descriptor(found);
	close_quietly(found);
	return place;
}

static bool is_trusted(const struct stat *status, size_t max_bytes)
{
	return S_ISREG(status->st_mode) && (uint64_t)status->st_size <= max_bytes &&
	       (status->st_uid == geteuid() || status->st_uid == 0);
}

int itp_trusted_file_open(const char *root, const char *path, size_t max_bytes, size_t *ret_bytes)
{
	struct stat status;
	int found = itp_input_file_find(root, path, O_NOFOLLOW, &status);

	if (found < 0) {
		return -1;
	}
	if (!is_trusted(&status, max_bytes)) {
		close(found);
		return -1;
	}
	*ret_bytes = (size_t)status.st_size;
	return itp_input_file_reopen(found);
}

#define MIB (1024 * 1024)
#define READ_BYTES (64 * 1024)

static bool fail_system(GError **error, const char *doing, const char *path)
{
	const int code = errno;

	g_set_error(error, G_FILE_ERROR, g_file_error_from_errno(code),
		    "Failed to %s file \u201c%s\u201d: %s", doing, path, g_strerror(code));
	return false;
}

static bool read_text(int file, const char *path, const char *what, size_t most_bytes,
		      GByteArray *text, GError **error)
{
	ssize_t count = 1;

	while (count > 0 && text->len <= most_bytes) {
		const guint before = text->len;

		g_byte_array_set_size(text, before + READ_BYTES);
		do {
			count = read(file, text->data + before, READ_BYTES);
		} while (count < 0 && errno == EINTR);
		g_byte_array_set_size(text, before + (guint)MAX(count, 0));
	}
	if (count < 0) {
		return fail_system(error, "read from", path);
	}
	if (text->len > most_bytes) {
		g_set_error(error, G_FILE_ERROR, G_FILE_ERROR_FAILED,
			    "\"%s\" has more than %zu MiB, the most that a file of %s may have; is "
			    "it the right file?",
			    path, most_bytes / MIB, what);
		return false;
	}
	return true;
}

char *itp_input_file_text(const char *path, const char *what, size_t most_bytes, size_t *ret_bytes,
			  GError **error)
{
	g_autoptr(GByteArray) text = g_byte_array_new();
	const int file = open(path, O_RDONLY | O_CLOEXEC);
	bool done = file >= 0;

	if (!done) {
		(void)fail_system(error, "open", path);
		return NULL;
	}
	done = read_text(file, path, what, most_bytes, text, error);
	close_quietly(file);
	if (!done) {
		return NULL;
	}
	*ret_bytes = text->len;
	g_byte_array_append(text, (const guint8 *)"", 1);
	return (char *)g_byte_array_free(g_steal_pointer(&text), FALSE);
}
