/* SPDX-License-Identifier: MIT */
/*
 * Copies of blobs, which are bytes without a meaning, and of other things that only classes in
 * graphs of version 1 of the message interchange protocol have. Babeltrace 2.0 has none of them.
 */
#ifndef ITP_FILTERS_SYMBOLIZE_BLOB_COPY_H
#define ITP_FILTERS_SYMBOLIZE_BLOB_COPY_H

#include <babeltrace2/babeltrace.h>
#include <stdbool.h>

bool itp_is_blob(bt_field_class_type type);

/* Of a class of blobs. The caller puts the result. NULL when memory runs out. */
bt_field_class *itp_blob_class_copy(bt_trace_class *trace_class, const bt_field_class *from);

/* `to` is of a copy of the class of `from`, a class of blobs. False when memory runs out. */
bool itp_blob_copy(const bt_field *from, bt_field *to);

/* The names of bits, and what is said of a value's meaning. False when memory runs out. */
bool itp_bit_flags_copy(const bt_field_class *from, bt_field_class *to);
void itp_integer_hints_copy(const bt_field_class *from, bt_field_class *to);

#endif
