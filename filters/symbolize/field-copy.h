/* SPDX-License-Identifier: MIT */
/*
 * Copies of field classes and fields of any kind.
 *
 * A copy of an option or a variant does not refer to the field with its choice, which is copied
 * like any other; nor does an array or a blob to the field with its length, in a graph of version 0
 * of the message interchange protocol.
 */
#ifndef ITP_FILTERS_SYMBOLIZE_FIELD_COPY_H
#define ITP_FILTERS_SYMBOLIZE_FIELD_COPY_H

#include <babeltrace2/babeltrace.h>
#include <stdbool.h>

/* The caller puts the result. NULL when memory runs out, or for a kind that is not known. */
bt_field_class *itp_field_class_copy(bt_trace_class *trace_class, const bt_field_class *from);

/* Appends copies of all members of `from` to `to`. */
bool itp_structure_class_copy(bt_trace_class *trace_class, const bt_field_class *from,
			      bt_field_class *to);

/* `to` is of a copy of the class of `from`; a structure may have more members behind these. False
 * when memory runs out. */
bool itp_field_copy(const bt_field *from, bt_field *to);

#endif
