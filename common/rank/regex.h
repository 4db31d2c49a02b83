/* SPDX-License-Identifier: MIT */
/*
 * Regular expressions that a user gives: Perl's, through GRegex, and where they are wrong.
 */
#ifndef ITP_RANK_REGEX_H
#define ITP_RANK_REGEX_H

#include <glib.h>
#include <stdbool.h>

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

#endif
