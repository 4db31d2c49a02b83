/* SPDX-License-Identifier: MIT */
/*
 * Where an output goes: a name in a directory that is held open, so that what was looked at is what
 * is written to, whatever others do to the path in the meantime.
 *
 * Of the symbolic links on the way, only those are followed that the user can mean: the user's own,
 * root's, those of the owner of the directory that they are in, and any in a directory that nobody
 * else can write to. Another user's link in a shared directory such as /tmp is an error.
 */
#ifndef ITP_SINKS_PROFILES_PLACE_H
#define ITP_SINKS_PROFILES_PLACE_H

#include <glib.h>
#include <stdbool.h>
#include <sys/stat.h>

struct itp_place {
	/* To be used with openat() and its like only. Owned by this. */
	int directory;
	/* Of one component. Owned by this. */
	char *name;
	/* Whether something is there, and what; never a symbolic link. */
	bool exists;
	struct stat status;
	/* It is an open descriptor, such as /dev/stdout: only the kernel can follow the link. */
	bool is_descriptor;
	/* Its owner is one whose symbolic links are followed, too. */
	bool is_trusted;
};

/* An error says what is wrong with `path`, after `refusal`, such as "cannot write". */
bool itp_place_find(struct itp_place *place, const char *path, const char *refusal, GError **error);
/* Also of one that was not found. */
void itp_place_release(struct itp_place *place);

/* A path for those who cannot use a descriptor, of `name` in the directory. Owned by the caller. */
char *itp_place_path(const struct itp_place *place, const char *name);

/* Fails if writing there would change one of `inputs` (char *, files and directories; "-" is
 * standard input; may be NULL). `path` is what the error calls the place. */
bool itp_place_check_inputs(const struct itp_place *place, const char *path,
			    const GPtrArray *inputs, GError **error);

#endif
