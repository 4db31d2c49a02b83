/* SPDX-License-Identifier: MIT */
/*
 * Names and their shell patterns, with "*" and "?". Every function is compared with some hundred
 * patterns, and most differ from its name in the first letter.
 */
#ifndef ITP_BASE_PATTERNS_H
#define ITP_BASE_PATTERNS_H

#include <glib.h>
#include <stdbool.h>

static inline bool itp_pattern_matches(const char *pattern, const char *name)
{
	return (pattern[0] == name[0] || pattern[0] == '*' || pattern[0] == '?') &&
	       g_pattern_match_simple(pattern, name);
}

/* True when any of `patterns`, which end with NULL, matches `name`, which is not NULL. */
static inline bool itp_patterns_match(const char *const *patterns, const char *name)
{
	for (size_t i = 0; patterns && patterns[i]; i++) {
		if (itp_pattern_matches(patterns[i], name)) {
			return true;
		}
	}
	return false;
}

#endif
