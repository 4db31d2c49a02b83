/* SPDX-License-Identifier: MIT */
/*
 * A user's own rules for names, from a text file. Every line that is not empty and does not begin
 * with # is a rule:
 *
 *   SUBJECT REGEX => REPLACEMENT
 *
 * SUBJECT is function, module or process. The first " =>" ends the expression (\x20=> is one that
 * does not); blanks around it and at the ends of the line do not count; a replacement may be
 * empty.
 */
#ifndef ITP_RANK_NAMES_FILE_H
#define ITP_RANK_NAMES_FILE_H

#include "common/rank/names.h"

#define ITP_MAX_NAMES_FILE_BYTES (1024 * 1024)

/* Appends the rules of the file. An error says "PATH:LINE:COLUMN: reason", or "PATH: reason" when
 * the file cannot be read; some rules may have been added then. */
bool itp_names_read(struct itp_names *names, const char *path, GError **error);

/* Appends the rules of a text, which errors call `path`. */
bool itp_names_parse(struct itp_names *names, const char *text, size_t length, const char *path,
		     GError **error);

#endif
