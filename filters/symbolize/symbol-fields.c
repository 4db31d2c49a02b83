/* SPDX-License-Identifier: MIT */
/* See symbol-fields.h. */
#include "filters/symbolize/symbol-fields.h"

#include <string.h>

#include "common/stacks/callchain.h"
#include "filters/symbolize/field-copy.h"
#include "messages/mip.h"

/* Members of structures, by index. */
struct symbol_field {
	uint64_t addresses;
	uint64_t symbols;
	enum itp_symbol_place place;
	bool is_array;
	/* The address lies behind a call. */
	bool is_return;
};

/* A structure of function and module to be filled in. */
struct naming {
	itp_symbol_func *function;
	void *data;
	enum itp_symbol_place place;
};

static const char *const context_names[] = { "callstack_kernel", "callstack_user", "ip", NULL };
static const char *const payload_names[] = { "perf_callchain", "perf_ip", NULL };
/* Call site, as __builtin_return_address() tells it. */
#define CALL_SITE "call_site"
static const char *const call_names[] = { "addr", CALL_SITE, NULL };

static const char *const stack_names[] = { "functions", NULL };

static const char *const *const names_of[] = {
	[ITP_SYMBOL_PLACE_CONTEXT] = context_names,
	[ITP_SYMBOL_PLACE_PAYLOAD] = payload_names,
	[ITP_SYMBOL_PLACE_CALL] = call_names,
	[ITP_SYMBOL_PLACE_STACK] = stack_names,
};

GArray *itp_symbol_fields_new(void)
{
	return g_array_new(FALSE, FALSE, sizeof(struct symbol_field));
}

static bool is_type(const bt_field_class *field_class, bt_field_class_type type)
{
	return bt_field_class_type_is(bt_field_class_get_type(field_class), type);
}

static bool is_address(const bt_field_class *field_class)
{
	return is_type(field_class, BT_FIELD_CLASS_TYPE_UNSIGNED_INTEGER);
}

static bool is_array(const bt_field_class *field_class)
{
	return is_type(field_class, BT_FIELD_CLASS_TYPE_ARRAY) &&
	       is_address(bt_field_class_array_borrow_element_field_class_const(field_class));
}

/* Contexts may begin with more underscores, put there by tracers and by CTF. */
static bool is_place_name(const char *name, enum itp_symbol_place place)
{
	while (place == ITP_SYMBOL_PLACE_CONTEXT && name[0] == '_') {
		name++;
	}
	return g_strv_contains(names_of[place], name);
}

static bool append_text_member(bt_trace_class *trace_class, bt_field_class *structure,
			       const char *name)
{
	bt_field_class *text = bt_field_class_string_create(trace_class);
	bool done = text && bt_field_class_structure_append_member(structure, name, text) ==
				    BT_FIELD_CLASS_STRUCTURE_APPEND_MEMBER_STATUS_OK;

	bt_field_class_put_ref(text);
	return done;
}

static bt_field_class *create_symbol(bt_trace_class *trace_class)
{
	bt_field_class *symbol = bt_field_class_structure_create(trace_class);

	if (symbol && !(append_text_member(trace_class, symbol, "function") &&
			append_text_member(trace_class, symbol, "module"))) {
		BT_FIELD_CLASS_PUT_REF_AND_RESET(symbol);
	}
	return symbol;
}

/* Array of as many symbols as addresses in an array of the class `addresses`. */
static bt_field_class *create_symbols(bt_trace_class *trace_class, const bt_field_class *addresses)
{
	bt_field_class *symbol = create_symbol(trace_class);
	bt_field_class *symbols = symbol ? itp_array_class_like(trace_class, symbol, addresses) :
					   NULL;

	bt_field_class_put_ref(symbol);
	return symbols;
}

/* Appends to `to` the symbols of member `index` of `from`. */
static bool append_symbols(bt_trace_class *trace_class, const bt_field_class *from, uint64_t index,
			   enum itp_symbol_place place, bt_field_class *to, GArray *fields)
{
	const bt_field_class_structure_member *member =
		bt_field_class_structure_borrow_member_by_index_const(from, index);
	const bt_field_class *addresses =
		bt_field_class_structure_member_borrow_field_class_const(member);
	const char *addresses_name = bt_field_class_structure_member_get_name(member);
	const struct symbol_field field = {
		.addresses = index,
		.symbols = bt_field_class_structure_get_member_count(to),
		.place = place,
		.is_array = is_array(addresses),
		.is_return = place == ITP_SYMBOL_PLACE_CALL &&
			     strcmp(addresses_name, CALL_SITE) == 0,
	};
	g_autofree char *name =
		g_strconcat(addresses_name, field.is_array ? "_symbols" : "_symbol", NULL);
	bt_field_class *symbols;
	bool done;

	/* The fields were added before. */
	if (bt_field_class_structure_borrow_member_by_name_const(to, name)) {
		return true;
	}
	symbols = field.is_array ? create_symbols(trace_class, addresses) :
				   create_symbol(trace_class);
	done = symbols && bt_field_class_structure_append_member(to, name, symbols) ==
				  BT_FIELD_CLASS_STRUCTURE_APPEND_MEMBER_STATUS_OK;
	bt_field_class_put_ref(symbols);
	g_array_append_val(fields, field);
	return done;
}

bt_field_class *itp_symbol_class_copy(bt_trace_class *trace_class, const bt_field_class *from,
				      enum itp_symbol_place place, GArray *fields)
{
	bt_field_class *to = bt_field_class_structure_create(trace_class);
	bool done = to && itp_structure_class_copy(trace_class, from, to);

	for (uint64_t i = 0; done && i < bt_field_class_structure_get_member_count(from); i++) {
		const bt_field_class_structure_member *member =
			bt_field_class_structure_borrow_member_by_index_const(from, i);
		const bt_field_class *field_class =
			bt_field_class_structure_member_borrow_field_class_const(member);

		if (is_place_name(bt_field_class_structure_member_get_name(member), place) &&
		    (is_array(field_class) || is_address(field_class))) {
			done = append_symbols(trace_class, from, i, place, to, fields);
		}
	}
	if (!done) {
		BT_FIELD_CLASS_PUT_REF_AND_RESET(to);
	}
	return to;
}

static bool set_text(bt_field *structure, uint64_t index, const char *text)
{
	return bt_field_string_set_value(
		       bt_field_structure_borrow_member_field_by_index(structure, index), text) ==
	       BT_FIELD_STRING_SET_VALUE_STATUS_OK;
}

static bool fill_symbol(const struct naming *naming, uint64_t address, bool is_return, bt_field *to)
{
	struct itp_symbol symbol =
		naming->function(naming->data, naming->place, address, is_return);

	return set_text(to, 0, symbol.function) && set_text(to, 1, symbol.module);
}

/* The first address behind a marker is the thread's place, the others are return addresses. */
static bool fill_array(const struct naming *naming, const bt_field *from, bt_field *to)
{
	uint64_t length = bt_field_array_get_length(from);
	bool is_return = false;
	bool done = bt_field_array_dynamic_set_length(to, length) ==
		    BT_FIELD_DYNAMIC_ARRAY_SET_LENGTH_STATUS_OK;

	for (uint64_t i = 0; done && i < length; i++) {
		uint64_t address = bt_field_integer_unsigned_get_value(
			bt_field_array_borrow_element_field_by_index_const(from, i));

		done = fill_symbol(naming, address, is_return,
				   bt_field_array_borrow_element_field_by_index(to, i));
		is_return = address < ITP_CHAIN_FIRST_MARKER;
	}
	return done;
}

bool itp_symbol_fields_copy(const GArray *fields, const bt_field *from, bt_field *to,
			    itp_symbol_func *function, void *data)
{
	struct naming naming = { .function = function, .data = data };
	bool done = itp_field_copy(from, to);

	for (guint i = 0; done && i < fields->len; i++) {
		const struct symbol_field *field = &g_array_index(fields, struct symbol_field, i);
		const bt_field *addresses = bt_field_structure_borrow_member_field_by_index_const(
			from, field->addresses);
		bt_field *symbols =
			bt_field_structure_borrow_member_field_by_index(to, field->symbols);

		naming.place = field->place;
		done = field->is_array ?
			       fill_array(&naming, addresses, symbols) :
			       fill_symbol(&naming, bt_field_integer_unsigned_get_value(addresses),
					   field->is_return, symbols);
	}
	return done;
}
