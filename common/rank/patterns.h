/* SPDX-License-Identifier: MIT */
/*
 * Regular expressions that a user gives: Perl's, through GRegex, and where they are wrong; and
 * patterns that choose functions.
 *
 * A pattern is an expression that is found anywhere in the name of a function; with a '!' of its
 * own, not that of (?! or (?<!, anywhere in "MODULE!FUNCTION". So "^inflate" is a function,
 * "^libz[.]so!" all of a library, and "^shop!main$" one function of one module.
 */
#ifndef ITP_RANK_PATTERNS_H
#define ITP_RANK_PATTERNS_H

#include <glib.h>
#include <stdbool.h>

#include "common/base/function-table.h"

/* Why a text is no regular expression, or no replacement for one. */
struct itp_regex_problem {
	/* The character that it was noticed before, from 0. */
	size_t at;
	/* A few words. Owned by this. */
	char *reason;
};

/* NULL, with the problem set, when `pattern` is none. */
GRegex *itp_regex_new(const char *pattern, struct itp_regex_problem *ret_problem);

/* Whether \1 and the like in `replacement` can be read. */
bool itp_regex_check_replacement(const char *replacement, struct itp_regex_problem *ret_problem);

struct itp_patterns;

/* `texts` holds char *. `parameter` is what errors name: which pattern of it is wrong, where and
 * why. NULL after an error. */
struct itp_patterns *itp_patterns_new(const char *parameter, const GPtrArray *texts,
				      GError **error);
void itp_patterns_free(struct itp_patterns *patterns);

/* Sets `ret_selected[id]`, zeroed, for every function of which `is_frame[id]` is true and that a
 * pattern matches. Fails when one matches none of them. */
bool itp_patterns_select(const struct itp_patterns *patterns,
			 const struct itp_function_table *functions, const bool *is_frame,
			 bool *ret_selected, GError **error);

#endif
