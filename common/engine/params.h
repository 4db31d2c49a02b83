/* SPDX-License-Identifier: MIT */
/*
 * Parameters of a request, checked against a table.
 *
 * Who takes parameters describes them in a table of struct itp_param whose offsets point into a
 * structure of its own, sets the structure to the defaults, and calls itp_params_read() once.
 */
#ifndef ITP_ENGINE_PARAMS_H
#define ITP_ENGINE_PARAMS_H

#include <stddef.h>

#include "common/engine/values.h"

enum itp_param_type {
	/* char *, not empty */
	ITP_PARAM_STRING,
	/* GPtrArray * of char *; a string or an array of at least one */
	ITP_PARAM_STRINGS,
	/* uint64_t; a signed or an unsigned integer is accepted, a negative number is not */
	ITP_PARAM_COUNT,
	/* bool */
	ITP_PARAM_BOOL,
	/* double; an integer is accepted, too */
	ITP_PARAM_REAL,
	/* unsigned int or an enum: an index into `choices` */
	ITP_PARAM_CHOICE,
};

struct itp_param {
	const char *name;
	enum itp_param_type type;
	/* Place of the target in the structure. */
	size_t offset;
	/* NULL-terminated; only for ITP_PARAM_CHOICE. */
	const char *const *choices;
};

struct itp_param_table {
	const struct itp_param *params;
	size_t count;
};

/* Reads `values` (values.h) into `target`. Strings are copied: release them also after a failure.
 */
bool itp_params_read(const struct itp_param_table *table, GHashTable *values, void *target,
		     GError **error);
void itp_params_release(const struct itp_param_table *table, void *target);

#endif
