/* SPDX-License-Identifier: MIT */
/*
 * Regular expressions of users, Perl's through GRegex, and the places of errors in them; and
 * patterns that choose functions.
 *
 * A pattern is an expression that is found anywhere in the name of a function; or, with a '!' other
 * than that of (?! or (?<!, anywhere in "MODULE!FUNCTION". "^inflate" is a function, "^libz[.]so!"
 * all of a library, and "^shop!main$" a function of a module.
 */
#ifndef ITP_VIEW_PATTERNS_H
#define ITP_VIEW_PATTERNS_H

#include <glib.h>
#include <stdbool.h>

#include "common/base/function-table.h"

/* Reason for which a text is no regular expression, or no replacement. */
struct itp_regex_problem {
	/* Character, from 0, before which the problem was noticed. */
	size_t at;
	/* A few words. Owned by this. */
	char *reason;
};

/* NULL, with the problem set, for a bad `pattern`. */
GRegex *itp_regex_new(const char *pattern, struct itp_regex_problem *ret_problem);

/* True if \1 and the like in `replacement` can be read. */
bool itp_regex_check_replacement(const char *replacement, struct itp_regex_problem *ret_problem);

struct itp_patterns;

/* Patterns of `texts` (char *). Errors name `parameter`, the bad pattern, the place and the reason.
 * NULL after an error. */
struct itp_patterns *itp_patterns_new(const char *parameter, const GPtrArray *texts,
				      GError **error);
void itp_patterns_free(struct itp_patterns *patterns);

/* Sets `ret_selected[id]`, zeroed, for every function with `is_frame[id]` that any pattern matches.
 * Fails if a pattern matches none of them. */
bool itp_patterns_select(const struct itp_patterns *patterns,
			 const struct itp_function_table *functions, const bool *is_frame,
			 bool *ret_selected, GError **error);

#endif
