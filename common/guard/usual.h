/* SPDX-License-Identifier: MIT */
/*
 * Where units of a type usually spend their time: a small profile of the training, as parts of the
 * time of all its units, so that it holds for those from which guards have learned as well, which
 * no recorder has slowed down.
 */
#ifndef ITP_GUARD_USUAL_H
#define ITP_GUARD_USUAL_H

#include <glib.h>
#include <jansson.h>

#include "common/base/context-tree.h"
#include "common/base/function-table.h"
#include "common/infer/profile.h"

/* So many contexts of a type are kept, those with most time, and each that has a thousandth of it.
 */
#define ITP_GUARD_USUAL_MOST 64
#define ITP_GUARD_USUAL_LEAST 0.001

struct itp_guard_usual {
	/* What has called it: 0 the loop's function, otherwise the number of one before this, from
	 * 1 on. */
	guint parent;
	/* As itp_guard_function_key() has it. Owned by this. */
	char *function;
	/* Of the time of the type's units, what was spent in it and what it has called. */
	double part;
};

/* Those of a type, callers first: a GArray of struct itp_guard_usual, empty where nothing is known.
 * Free with g_array_unref(). */
GArray *itp_guard_usual_new(void);

/* What a profile of nothing but a type's units says. All weak. */
struct itp_guard_usual_source {
	const struct itp_profile *profile;
	const struct itp_context_tree *tree;
	const struct itp_function_table *functions;
	/* The key of the loop's function. */
	const char *loop;
};

/* Adds the contexts to an empty array. */
void itp_guard_usual_train(GArray *usual, const struct itp_guard_usual_source *source);

/* Which part of the time is usually spent in the context of `length` functions below the loop's;
 * one of these may be unknown. 0 where it is not known to take any, 1 for the loop's function. */
double itp_guard_usual_part(const GArray *usual, char *const *path, guint length);

/* As a guard file has it: lists of parent, function and part. Reading returns what is wrong, or
 * NULL; there may be none. */
json_t *itp_guard_usual_json(const GArray *usual);
const char *itp_guard_usual_read(const json_t *array, GArray *usual);

#endif
