/* SPDX-License-Identifier: MIT */
/*
 * See place.h. The path is walked component by component: each directory is opened in the one
 * before, and a link that may be followed is read through the descriptor that was looked at, and
 * put in front of the rest of the path.
 */
#define _GNU_SOURCE /* O_PATH */
#include "common/engine/place.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <linux/magic.h>
#include <string.h>
#include <sys/vfs.h>
#include <unistd.h>

#include "common/base/failure.h"

/* Most links on a path, as in the kernel. */
#define MAX_LINKS 40
#define OPEN_DIRECTORY (O_PATH | O_DIRECTORY | O_CLOEXEC)
/* Among inputs. */
#define STANDARD_INPUT "-"

struct walk {
	struct itp_place *place;
	/* Path as given. Weak. */
	const char *path;
	const char *refusal;
	/* Rest of the path. Owned by this. */
	char *rest;
	unsigned int link_count;
	bool is_done;
};

static bool fail(const struct walk *walk, int code, GError **error)
{
	itp_failure_set(error, "%s: %s: %s", walk->path, walk->refusal, g_strerror(code));
	return false;
}

/* Takes `directory`, negative after an error, with errno. */
static bool enter(struct walk *walk, int directory, GError **error)
{
	if (directory < 0) {
		return fail(walk, errno, error);
	}
	close(walk->place->directory);
	walk->place->directory = directory;
	return true;
}

/* True when only users who may decide the place of the output can put something into a
 * directory. */
static bool is_trusted(const struct stat *status, const struct stat *directory)
{
	return status->st_uid == geteuid() || status->st_uid == 0 ||
	       status->st_uid == directory->st_uid || !(directory->st_mode & (S_IWGRP | S_IWOTH));
}

/* Takes the next component from the rest, which becomes NULL behind the last. NULL without any.
 * Owned by the caller. */
static char *next_component(struct walk *walk)
{
	const char *begin = walk->rest ? walk->rest + strspn(walk->rest, "/") : "";
	size_t length = strcspn(begin, "/");
	char *component = length > 0 ? g_strndup(begin, length) : NULL;
	char *rest = begin[length] ? g_strdup(begin + length) : NULL;

	g_free(walk->rest);
	walk->rest = rest;
	return component;
}

/* Links of /proc lead where no path does. */
static bool is_magic(int link)
{
	struct statfs status;

	return fstatfs(link, &status) == 0 && status.f_type == PROC_SUPER_MAGIC;
}

static bool follow_magic(struct walk *walk, const char *name, GError **error)
{
	struct itp_place *place = walk->place;

	if (walk->rest) {
		return enter(walk, openat(place->directory, name, OPEN_DIRECTORY), error);
	}
	place->name = g_strdup(name);
	place->is_descriptor = true;
	walk->is_done = true;
	place->exists = fstatat(place->directory, name, &place->status, 0) == 0;
	return place->exists || fail(walk, errno, error);
}

static bool fail_trust(const struct walk *walk, const char *name, uid_t owner, GError **error)
{
	itp_failure_set(error,
			"%s: the symbolic link \"%s\" on the way there belongs to another user "
			"(%u), in a directory that others can write to, and is not followed; name "
			"the file itself",
			walk->path, name, (unsigned int)owner);
	return false;
}

static bool follow(struct walk *walk, int link, GError **error)
{
	char target[PATH_MAX];
	ssize_t length = readlinkat(link, "", target, sizeof(target) - 1);
	char *rest;

	if (length < 0 || ++walk->link_count > MAX_LINKS) {
		return fail(walk, length < 0 ? errno : ELOOP, error);
	}
	target[length] = '\0';
	rest = g_strconcat(target, walk->rest, NULL);
	g_free(walk->rest);
	walk->rest = rest;
	return target[0] != '/' || enter(walk, open("/", OPEN_DIRECTORY), error);
}

/* Looks at the file behind `opened`. */
static bool look_at(struct walk *walk, int opened, const char *name, GError **error)
{
	struct itp_place *place = walk->place;
	struct stat directory;
	struct stat status;

	if (fstat(opened, &status) != 0 || fstat(place->directory, &directory) != 0) {
		return fail(walk, errno, error);
	}
	if (S_ISLNK(status.st_mode) && is_magic(opened)) {
		return follow_magic(walk, name, error);
	}
	if (S_ISLNK(status.st_mode)) {
		return is_trusted(&status, &directory) ?
			       follow(walk, opened, error) :
			       fail_trust(walk, name, status.st_uid, error);
	}
	if (walk->rest) {
		return enter(walk, openat(opened, ".", OPEN_DIRECTORY), error);
	}
	place->name = g_strdup(name);
	place->exists = true;
	place->status = status;
	place->is_trusted = is_trusted(&status, &directory);
	walk->is_done = true;
	return true;
}

static bool step(struct walk *walk, GError **error)
{
	g_autofree char *name = next_component(walk);
	int opened;
	bool done;

	if (!name) {
		/* The path, or the target of a link, ends with a slash. */
		return fail(walk, walk->path[0] ? EISDIR : ENOENT, error);
	}
	opened = openat(walk->place->directory, name, O_PATH | O_NOFOLLOW | O_CLOEXEC);
	if (opened < 0 && errno == ENOENT && !walk->rest) {
		walk->place->name = g_steal_pointer(&name);
		walk->is_done = true;
		return true;
	}
	if (opened < 0) {
		return fail(walk, errno, error);
	}
	done = look_at(walk, opened, name, error);
	close(opened);
	return done;
}

bool itp_place_find(struct itp_place *place, const char *path, const char *refusal, GError **error)
{
	struct walk walk = {
		.place = place, .path = path, .refusal = refusal, .rest = g_strdup(path)
	};
	bool done;

	*place =
		(struct itp_place){ .directory = open(path[0] == '/' ? "/" : ".", OPEN_DIRECTORY) };
	done = place->directory >= 0 || fail(&walk, errno, error);
	while (done && !walk.is_done) {
		done = step(&walk, error);
	}
	g_free(walk.rest);
	return done;
}

void itp_place_release(struct itp_place *place)
{
	if (place->directory >= 0) {
		close(place->directory);
	}
	g_clear_pointer(&place->name, g_free);
}

char *itp_place_path(const struct itp_place *place, const char *name)
{
	return g_strdup_printf("/proc/self/fd/%d/%s", place->directory, name);
}

static bool is_same(const struct stat *a, const struct stat *b)
{
	return a->st_dev == b->st_dev && a->st_ino == b->st_ino;
}

/* True when the directory of the place is `above`, or anywhere below it. */
static bool is_inside(const struct itp_place *place, const struct stat *above)
{
	int directory = openat(place->directory, ".", OPEN_DIRECTORY);
	struct stat status = { 0 };
	struct stat below;
	bool is_top;

	do {
		int parent = openat(directory, "..", OPEN_DIRECTORY);

		below = status;
		(void)fstat(directory, &status);
		is_top = parent < 0 || is_same(&status, &below);
		close(directory);
		directory = parent;
	} while (!is_top && !is_same(&status, above));
	if (directory >= 0) {
		close(directory);
	}
	return is_same(&status, above);
}

bool itp_place_check_inputs(const struct itp_place *place, const char *path,
			    const GPtrArray *inputs, GError **error)
{
	for (guint i = 0; inputs && i < inputs->len; i++) {
		const char *input = g_ptr_array_index(inputs, i);
		const bool is_stream = g_str_equal(input, STANDARD_INPUT);
		struct stat status;

		if ((is_stream ? fstat(STDIN_FILENO, &status) : stat(input, &status)) != 0) {
			continue;
		}
		input = is_stream ? "standard input" : input;
		if (S_ISREG(status.st_mode) && place->exists && is_same(&status, &place->status)) {
			itp_failure_set(error,
					"%s: cannot write: this is the input %s, which would be "
					"lost; name another file",
					path, input);
			return false;
		}
		if (S_ISDIR(status.st_mode) && place->directory >= 0 && is_inside(place, &status)) {
			itp_failure_set(error,
					"%s: cannot write: this lies in the input %s; name a file "
					"elsewhere",
					path, input);
			return false;
		}
	}
	return true;
}
