/* SPDX-License-Identifier: MIT */
/*
 * Usual places of a type's time: a small profile of the training, as parts of the time of all its
 * units. Parts also hold for learned units, which no recorder has slowed down.
 */
#ifndef ITP_GUARD_USUAL_H
#define ITP_GUARD_USUAL_H

#include <glib.h>
#include <jansson.h>

#include "common/base/context-tree.h"
#include "common/base/function-table.h"
#include "common/infer/profile.h"

/* Contexts kept of a type, at most, with most time, and the part of the time of each at least. */
#define ITP_GUARD_USUAL_MOST 64
#define ITP_GUARD_USUAL_LEAST 0.001

struct itp_guard_usual {
	/* Caller: 0 the loop's function, otherwise the number of an element before, from 1 on. */
	guint parent;
	/* Key by itp_guard_function_key(). Owned by this. */
	char *function;
	/* Part of the time of the type's units in the function and its callees. */
	double part;
};

/* Places of a type, callers first: a GArray of struct itp_guard_usual, empty when unknown. Free
 * with g_array_unref(). */
GArray *itp_guard_usual_new(void);

/* Source of usual places: a profile of a type's units only. All weak. */
struct itp_guard_usual_source {
	const struct itp_profile *profile;
	const struct itp_context_tree *tree;
	const struct itp_function_table *functions;
	/* The key of the loop's function. */
	const char *loop;
};

/* Adds the contexts to an empty array. */
void itp_guard_usual_train(GArray *usual, const struct itp_guard_usual_source *source);

/* Usual part of the time in the context of `length` functions below the loop's, one of them
 * possibly unknown to the profile. 0 when not known to take any, 1 for the loop's function. */
double itp_guard_usual_part(const GArray *usual, char *const *path, guint length);

/* JSON of a guard file: lists of parent, function and part. Reading returns the text of an error,
 * or NULL; a missing list is empty. */
json_t *itp_guard_usual_json(const GArray *usual);
const char *itp_guard_usual_read(const json_t *array, GArray *usual);

#endif
