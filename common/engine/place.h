/* SPDX-License-Identifier: MIT */
/*
 * Place of an output: a name in an open directory, so that the file looked at is the file written
 * to, whatever others do to the path in the meantime.
 *
 * Symbolic links on the way are followed only if the user can mean them: the user's own, root's,
 * those of the owner of their directory, and any in a directory where nobody else can write.
 * Another user's link in a shared directory such as /tmp is an error.
 */
#ifndef ITP_ENGINE_PLACE_H
#define ITP_ENGINE_PLACE_H

#include <glib.h>
#include <stdbool.h>
#include <sys/stat.h>

struct itp_place {
	/* To be used with openat() and its like only. Owned by this. */
	int directory;
	/* Name, a single component. Owned by this. */
	char *name;
	/* File of the name, if any; never a symbolic link. */
	bool exists;
	struct stat status;
	/* Open descriptor, such as /dev/stdout, whose link only the kernel can follow. */
	bool is_descriptor;
	/* Owner with trusted symbolic links. */
	bool is_trusted;
};

/* Finds the place of `path`. An error begins with `refusal`, such as "cannot write". */
bool itp_place_find(struct itp_place *place, const char *path, const char *refusal, GError **error);
/* Releases a place, also after a failure. */
void itp_place_release(struct itp_place *place);

/* Path of `name` in the directory, for functions that take no descriptor. Owned by the caller. */
char *itp_place_path(const struct itp_place *place, const char *name);

/* Fails if writing there would change one of `inputs` (char *, files and directories; "-" is
 * standard input; may be NULL). `path` is the place's name in the error. */
bool itp_place_check_inputs(const struct itp_place *place, const char *path,
			    const GPtrArray *inputs, GError **error);

#endif
