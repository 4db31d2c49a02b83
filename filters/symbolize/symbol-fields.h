/* SPDX-License-Identifier: MIT */
/*
 * Fields added by filter.introperf.symbolize: beside each field with addresses of code a field with
 * their symbols.
 *
 * A field NAME with an address gets NAME_symbol, a structure of function and module; an array of
 * addresses gets NAME_symbols, an array of such structures, one for each address. Others find the
 * symbols.
 */
#ifndef ITP_FILTERS_SYMBOLIZE_SYMBOL_FIELDS_H
#define ITP_FILTERS_SYMBOLIZE_SYMBOL_FIELDS_H

#include <babeltrace2/babeltrace.h>
#include <glib.h>
#include <stdbool.h>
#include <stdint.h>

/* Kind of a structure. */
enum itp_symbol_place {
	ITP_SYMBOL_PLACE_CONTEXT,
	ITP_SYMBOL_PLACE_PAYLOAD,
	/* Of an entry or exit of a function. */
	ITP_SYMBOL_PLACE_CALL,
	/* Stack of our own, whose functions have numbers. */
	ITP_SYMBOL_PLACE_STACK,
};

/* Weak. */
struct itp_symbol {
	const char *function;
	const char *module;
};

/* Symbol at `address`; a return address lies behind its call. In ITP_SYMBOL_PLACE_STACK it is the
 * number of a function. */
typedef struct itp_symbol itp_symbol_func(void *data, enum itp_symbol_place place, uint64_t address,
					  bool is_return);

/* Copy of the structure `from`, with more members behind those of `from`. They are appended to
 * `fields`, made by itp_symbol_fields_new(). NULL when memory runs out, or for an unknown kind of
 * field. */
bt_field_class *itp_symbol_class_copy(bt_trace_class *trace_class, const bt_field_class *from,
				      enum itp_symbol_place place, GArray *fields);

GArray *itp_symbol_fields_new(void);

/* Copies the structure `from` to `to`, which is of such a class. */
bool itp_symbol_fields_copy(const GArray *fields, const bt_field *from, bt_field *to,
			    itp_symbol_func *function, void *data);

#endif
