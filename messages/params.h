/* SPDX-License-Identifier: MIT */
/*
 * Parameters of components, checked against a table.
 *
 * A component describes its parameters in a table of struct itp_param whose offsets point into a
 * structure of its own, sets the structure to the defaults, and calls itp_params_read() once. Types
 * are checked before any value is read, because libbabeltrace2 does not check them.
 */
#ifndef ITP_MESSAGES_PARAMS_H
#define ITP_MESSAGES_PARAMS_H

#include <babeltrace2/babeltrace.h>
#include <glib.h>
#include <stdbool.h>
#include <stddef.h>

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
	/* Place of the target in the component's structure. */
	size_t offset;
	/* NULL-terminated; only for ITP_PARAM_CHOICE. */
	const char *const *choices;
};

struct itp_param_table {
	const struct itp_param *params;
	size_t count;
};

/* Reads `values`, a map, into `target`. Strings are copied: release them also after a failure. */
bool itp_params_read(const struct itp_param_table *table, const bt_value *values, void *target,
		     GError **error);
void itp_params_release(const struct itp_param_table *table, void *target);

#endif
