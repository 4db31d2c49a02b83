/* SPDX-License-Identifier: MIT */
/*
 * Patterns that choose functions.
 *
 * A pattern is a Perl regular expression that is found anywhere in the name of a function; with a
 * '!' of its own, not that of (?! or (?<!, anywhere in "MODULE!FUNCTION". So "^inflate" is a
 * function, "^libz[.]so!" all of a library, and "^shop!main$" one function of one module.
 */
#ifndef ITP_RANK_PATTERNS_H
#define ITP_RANK_PATTERNS_H

#include <glib.h>
#include <stdbool.h>

#include "common/base/function-table.h"

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
