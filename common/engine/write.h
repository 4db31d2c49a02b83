/* SPDX-License-Identifier: MIT */
/*
 * Places of results: a file, which is replaced as a whole or not at all, or standard output.
 */
#ifndef ITP_ENGINE_WRITE_H
#define ITP_ENGINE_WRITE_H

#include <glib.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>

#include "common/engine/place.h"

/* Says early whether `path`, NULL = standard output, could be written to, without touching it, and
 * without harm to any of `inputs` (char *, files and directories; may be NULL). */
bool itp_write_check(const char *path, const GPtrArray *inputs, GError **error);

/* `path` NULL = standard output. */
bool itp_write(const char *path, const GString *text, GError **error);

/* Turn of a text among several results, one for each period and one at the end. */
enum itp_write_turn {
	ITP_WRITE_FIRST,
	ITP_WRITE_NEXT,
	ITP_WRITE_LAST,
};

/* Writes a turn. On a terminal, text takes the place of the previous one, and all but the last are
 * cut at the screen's end; elsewhere standard output gets one behind the other. A file holds the
 * last one. */
bool itp_write_turn(const char *path, bool is_text, enum itp_write_turn turn, const GString *text,
		    GError **error);

/* Result written while it is made. */
struct itp_writing {
	/* To write to; its errors are told in the end. NULL before and after. Owned by this. */
	FILE *stream;
	/* Descriptor of the stream, and errno of its first failed write; 0 for none. */
	int fd;
	int failure;
	/* Path as given. Weak. */
	const char *path;
	/* Of a path. Owned by this. */
	struct itp_place place;
	/* Output replaces the file there, rather than being added. */
	bool replaces;
	/* Temporary name, if one is needed, and the signals blocked before. Owned by this. */
	char *temporary;
	sigset_t signals;
};

/* Begins a file: `path`, NULL = standard output, must outlive `writing`, and `writing` stays in
 * place until the end. */
bool itp_writing_begin(struct itp_writing *writing, const char *path, GError **error);
/* Puts the file in its place, or, without `keep`, away. */
bool itp_writing_end(struct itp_writing *writing, bool keep, GError **error);

#endif
