/* SPDX-License-Identifier: MIT */
/*
 * Canonical names: names of functions without traces of compiler, options and version.
 *
 * Rules, which are data, take out of a name what a build put in: suffixes of the compiler's copies
 * and parts of a function, Rust's hashes, ABI tags, symbol versions, and all but the first number
 * of a library's version. Names that only look alike stay: operators, lambdas, arguments of
 * templates, a stub NAME@plt, outlined code (NAME._omp_fn.0). A user's own rules come after the
 * built-in ones.
 *
 * Functions without a name are places in a build; no rule is applied to them.
 */
#ifndef ITP_VIEW_NAMES_H
#define ITP_VIEW_NAMES_H

#include <glib.h>
#include <stdbool.h>

#include "common/base/function-table.h"

/* Subject of a rule. */
enum itp_names_subject {
	/* Names of functions, in user space and in the kernel. */
	ITP_NAMES_FUNCTION = 0,
	/* Names of modules. */
	ITP_NAMES_MODULE = 1,
	/* Names of processes. */
	ITP_NAMES_PROCESS = 2,
};

/* Names as a file of rules spells them, by number; ends with NULL. */
extern const char *const itp_names_subject_names[];

struct itp_names;

/* The built-in rules, or none. */
struct itp_names *itp_names_new(bool with_builtin);
void itp_names_free(struct itp_names *names);

/* A function under its canonical name. */
struct itp_canonical {
	/* Owned by this. */
	char *name;
	char *module;
	/* Was NAME.part.N or NAME.cold: no function of its own, but a piece of NAME that the
	 * compiler put elsewhere. A call of it from NAME is none. */
	bool is_part;
};

void itp_canonical_clear(struct itp_canonical *canonical);

/* Fills the canonical name. A rule that would leave nothing of a name is skipped. Fails when a
 * regular expression gives up on a name; `*ret_canonical` is not set then. */
bool itp_names_apply(const struct itp_names *names, const struct itp_function *function,
		     struct itp_canonical *ret_canonical, GError **error);

/* ---- A user's own rules, from a text file ----
 *
 * Every line that is not empty and does not begin with # is a rule:
 *
 *   SUBJECT REGEX => REPLACEMENT
 *
 * SUBJECT is function, module or process. The first " =>" ends the expression (\x20=> is one that
 * does not); blanks around it and at the ends of the line do not count. Every match is replaced; a
 * replacement may hold \1 and the like, or be empty.
 */

#define ITP_MAX_NAMES_FILE_BYTES (1024 * 1024)

/* Appends the rules of the file. An error says "PATH:LINE:COLUMN: reason", or "PATH: reason" when
 * the file cannot be read; some rules may have been added then. */
bool itp_names_read(struct itp_names *names, const char *path, GError **error);

/* Appends the rules of a text, called `path` in errors. */
bool itp_names_parse(struct itp_names *names, const char *text, size_t length, const char *path,
		     GError **error);

#endif
