/* SPDX-License-Identifier: MIT */
/*
 * Where results go: a file, which is replaced as a whole or not at all, or standard output.
 */
#ifndef ITP_SINKS_PROFILES_WRITE_H
#define ITP_SINKS_PROFILES_WRITE_H

#include <glib.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>

#include "sinks/profiles/place.h"

/* Says early whether `path`, NULL = standard output, could be written to, without touching it, and
 * without harm to any of `inputs` (char *, files and directories; may be NULL). */
bool itp_write_check(const char *path, const GPtrArray *inputs, GError **error);

/* `path` NULL = standard output. */
bool itp_write(const char *path, const GString *text, GError **error);

/* Which of several results, one for each period and one at the end, a text is. */
enum itp_write_turn {
	ITP_WRITE_FIRST,
	ITP_WRITE_NEXT,
	ITP_WRITE_LAST,
};

/* On a terminal, text takes the place of the one before, and all but the last are cut where the
 * screen ends; elsewhere standard output gets one behind the other. A file holds the last one. */
bool itp_write_turn(const char *path, bool is_text, enum itp_write_turn turn, const GString *text,
		    GError **error);

/* A result that is written as it is made. */
struct itp_writing {
	/* To write to; its errors are told in the end. NULL before and after. Owned by this. */
	FILE *stream;
	/* Where the stream writes, and errno of its first write that failed; 0 for none. */
	int fd;
	int failure;
	/* As given. Weak. */
	const char *path;
	/* Of a path. Owned by this. */
	struct itp_place place;
	/* What is written takes the place of what is there, rather than being added to it. */
	bool replaces;
	/* Its name until then, if it needs one, and the signals that were blocked before it had it.
	 * Owned by this. */
	char *temporary;
	sigset_t signals;
};

/* `path`, NULL = standard output, must outlive this, and `writing` stays where it is until the end.
 */
bool itp_writing_begin(struct itp_writing *writing, const char *path, GError **error);
/* Puts what was written where it belongs, or, without `keep`, away. */
bool itp_writing_end(struct itp_writing *writing, bool keep, GError **error);

#endif
