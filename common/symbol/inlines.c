/* SPDX-License-Identifier: MIT */
/*
 * Three tables of ranges, from the outside in: units of the file, functions of a unit, instances in
 * a function. dwarf_getscopes() would walk through a whole unit for each address.
 *
 * Functions are looked for beside and in namespaces first. Only an address in none of these has the
 * types of its unit searched, which are most of it.
 */
#include "common/symbol/inlines.h"

#include <dwarf.h>
#include <stdlib.h>

/* Most scopes within each other, and most instances in a function: more are bad data. */
#define MAX_DEPTH 256
#define MAX_INSTANCES (256u * 1024)
#define NO_INSTANCE UINT32_MAX

struct range {
	uint64_t start;
	uint64_t end;
	/* Number of the range's owner: unit, function or instance. */
	uint32_t owner;
	/* Number of instances around an instance. */
	uint32_t depth;
};

struct instance {
	Dwarf_Die die;
	/* Lowest address. */
	uint64_t entry;
	/* Instance around this; NO_INSTANCE for the function itself. */
	uint32_t parent;
	/* NULL until asked for. Owned by this. */
	struct itp_inlined_chain *chain;
};

struct function {
	Dwarf_Die die;
	/* Address at which it is called. */
	uint64_t entry;
	/* struct instance, and their struct range by address; NULL until asked for. Owned by
	 * this. */
	GArray *instances;
	GArray *ranges;
};

struct unit {
	Dwarf_Die die;
	/* struct function, and their struct range by address; NULL until asked for. Owned by
	 * this. */
	GArray *functions;
	GArray *ranges;
	/* Types were searched for functions, too. */
	bool is_searched;
};

struct itp_inlines {
	/* Owned by this. */
	struct itp_debug_data *debug_data;
	uint64_t code_begin;
	itp_inlines_name_func name;
	/* Weak. */
	void *data;
	/* struct unit, and their struct range by address. Owned by this. */
	GArray *units;
	GArray *ranges;
};

static void clear_instance(gpointer data)
{
	struct instance *instance = data;

	g_free(instance->chain);
}

static void clear_function(gpointer data)
{
	struct function *function = data;

	g_clear_pointer(&function->instances, g_array_unref);
	g_clear_pointer(&function->ranges, g_array_unref);
}

static void clear_unit(gpointer data)
{
	struct unit *unit = data;

	g_clear_pointer(&unit->functions, g_array_unref);
	g_clear_pointer(&unit->ranges, g_array_unref);
}

static GArray *new_table(guint size, GDestroyNotify clear)
{
	GArray *table = g_array_new(FALSE, FALSE, size);

	g_array_set_clear_func(table, clear);
	return table;
}

/* ---- Ranges ---- */

/* Adds the ranges of `die`, owned by `owner`. Returns the lowest address; 0 without any. */
static uint64_t add_ranges(const struct itp_inlines *inlines, Dwarf_Die *die, GArray *ranges,
			   uint32_t owner, uint32_t depth)
{
	struct range range = { .owner = owner, .depth = depth };
	uint64_t lowest = 0;
	ptrdiff_t offset = 0;
	Dwarf_Addr base;
	Dwarf_Addr start;
	Dwarf_Addr end;

	while ((offset = dwarf_ranges(die, offset, &base, &start, &end)) > 0) {
		if (start < inlines->code_begin || start >= end) {
			continue;
		}
		range.start = start;
		range.end = end;
		g_array_append_val(ranges, range);
		lowest = lowest == 0 ? start : MIN(lowest, start);
	}
	return lowest;
}

static gint compare_ranges(gconstpointer a, gconstpointer b)
{
	const struct range *left = a;
	const struct range *right = b;

	if (left->start != right->start) {
		return left->start < right->start ? -1 : 1;
	}
	return (left->owner > right->owner) - (left->owner < right->owner);
}

/* Number of ranges that begin at or before `vaddr`. */
static guint count_begun(const GArray *ranges, uint64_t vaddr)
{
	guint low = 0;
	guint high = ranges->len;

	while (low < high) {
		guint middle = low + (high - low) / 2;

		if (g_array_index(ranges, struct range, middle).start <= vaddr) {
			low = middle + 1;
		} else {
			high = middle;
		}
	}
	return low;
}

/* Owner of the range around `vaddr`, of ranges that do not overlap; false without any. */
static bool find_owner(const GArray *ranges, uint64_t vaddr, uint32_t *ret_owner)
{
	guint begun = count_begun(ranges, vaddr);
	const struct range *range = begun > 0 ? &g_array_index(ranges, struct range, begun - 1) :
						NULL;

	if (!range || vaddr >= range->end) {
		return false;
	}
	*ret_owner = range->owner;
	return true;
}

/* Innermost instance around `vaddr`. */
static uint32_t find_innermost(const GArray *ranges, uint64_t vaddr)
{
	const struct range *innermost = NULL;

	for (guint i = count_begun(ranges, vaddr); i-- > 0;) {
		const struct range *range = &g_array_index(ranges, struct range, i);

		if (vaddr < range->end && (!innermost || range->depth > innermost->depth)) {
			innermost = range;
		}
	}
	return innermost ? innermost->owner : NO_INSTANCE;
}

/* ---- Units ---- */

static void read_units(struct itp_inlines *inlines)
{
	Dwarf *dwarf = itp_debug_data_dwarf(inlines->debug_data);
	struct unit unit = { .functions = NULL };
	Dwarf_CU *cu = NULL;
	uint8_t type;

	while (dwarf_get_units(dwarf, cu, &cu, NULL, &type, &unit.die, NULL) == 0) {
		if (type == DW_UT_compile || type == DW_UT_skeleton) {
			add_ranges(inlines, &unit.die, inlines->ranges, inlines->units->len, 0);
			g_array_append_val(inlines->units, unit);
		}
	}
	g_array_sort(inlines->ranges, compare_ranges);
}

struct itp_inlines *itp_inlines_new(struct itp_debug_data *debug_data, uint64_t code_begin,
				    itp_inlines_name_func name, void *data)
{
	struct itp_inlines *inlines = g_new0(struct itp_inlines, 1);

	inlines->debug_data = debug_data;
	inlines->code_begin = MAX(code_begin, 1);
	inlines->name = name;
	inlines->data = data;
	inlines->units = new_table(sizeof(struct unit), clear_unit);
	inlines->ranges = new_table(sizeof(struct range), NULL);
	read_units(inlines);
	return inlines;
}

void itp_inlines_free(struct itp_inlines *inlines)
{
	if (inlines) {
		g_array_unref(inlines->units);
		g_array_unref(inlines->ranges);
		itp_debug_data_free(inlines->debug_data);
		g_free(inlines);
	}
}

/* ---- Functions of a unit ---- */

/* True for a scope that may hold functions, beside a type. */
static bool holds_functions(int tag)
{
	return tag == DW_TAG_namespace || tag == DW_TAG_module;
}

/* True for any other that may: local types in blocks of functions. */
static bool may_hold_functions(int tag)
{
	return tag == DW_TAG_class_type || tag == DW_TAG_structure_type ||
	       tag == DW_TAG_union_type || tag == DW_TAG_subprogram ||
	       tag == DW_TAG_lexical_block || tag == DW_TAG_inlined_subroutine;
}

/* A search for functions of a unit. */
struct search {
	const struct itp_inlines *inlines;
	struct unit *unit;
	/* struct range: of functions found in this search. Owned by this. */
	GArray *ranges;
	/* In types and functions as well. */
	bool is_deep;
};

/* Address at which the function of `die` is called: where nothing tells it, the begin of the range
 * named first (DWARF 5, 2.18). The lowest may be the part that hardly ever runs. */
static uint64_t entry_of(Dwarf_Die *die)
{
	Dwarf_Addr entry;
	Dwarf_Addr base;
	Dwarf_Addr end;

	if (dwarf_entrypc(die, &entry) == 0 || dwarf_ranges(die, 0, &base, &entry, &end) > 0) {
		return entry;
	}
	return 0;
}

/* Adds a function not known before. */
static void add_unit_function(struct search *search, Dwarf_Die *die)
{
	struct function function = { .die = *die, .entry = entry_of(die) };
	const guint before = search->ranges->len;
	const uint64_t begin =
		add_ranges(search->inlines, die, search->ranges, search->unit->functions->len, 0);
	uint32_t known;

	if (begin == 0) {
		return;
	}
	if (find_owner(search->unit->ranges, begin, &known)) {
		g_array_set_size(search->ranges, before);
		return;
	}
	g_array_append_val(search->unit->functions, function);
}

static void add_functions(struct search *search, Dwarf_Die *scope, guint depth)
{
	Dwarf_Die die;
	int error = depth < MAX_DEPTH ? dwarf_child(scope, &die) : 1;

	while (error == 0) {
		const int tag = dwarf_tag(&die);

		if (tag == DW_TAG_subprogram) {
			add_unit_function(search, &die);
		}
		if (holds_functions(tag) || (search->is_deep && may_hold_functions(tag))) {
			add_functions(search, &die, depth + 1);
		}
		error = dwarf_siblingof(&die, &die);
	}
}

/* Functions known before stay, with their chains. */
static void read_functions(const struct itp_inlines *inlines, struct unit *unit, bool is_deep)
{
	Dwarf_Die whole = itp_debug_data_whole_unit(&unit->die);
	g_autoptr(GArray) ranges = new_table(sizeof(struct range), NULL);
	struct search search = {
		.inlines = inlines, .unit = unit, .ranges = ranges, .is_deep = is_deep
	};

	if (!unit->functions) {
		unit->functions = new_table(sizeof(struct function), clear_function);
		unit->ranges = new_table(sizeof(struct range), NULL);
	}
	unit->is_searched = is_deep;
	add_functions(&search, &whole, 0);
	g_array_append_vals(unit->ranges, ranges->data, ranges->len);
	g_array_sort(unit->ranges, compare_ranges);
}

/* NULL without a function around `vaddr`. */
static struct function *function_around(const struct itp_inlines *inlines, struct unit *unit,
					uint64_t vaddr)
{
	uint32_t number;

	if (!unit->functions) {
		read_functions(inlines, unit, false);
	}
	if (!find_owner(unit->ranges, vaddr, &number)) {
		return NULL;
	}
	return &g_array_index(unit->functions, struct function, number);
}

/* ---- Instances in a function ---- */

static void add_instances(const struct itp_inlines *inlines, struct function *function,
			  Dwarf_Die *scope, uint32_t parent, uint32_t depth, guint nesting);

static void add_inline_instance(const struct itp_inlines *inlines, struct function *function,
				Dwarf_Die *die, uint32_t parent, uint32_t depth, guint nesting)
{
	const uint32_t number = function->instances->len;
	struct instance instance = { .die = *die, .parent = parent };

	if (number < MAX_INSTANCES) {
		instance.entry = add_ranges(inlines, die, function->ranges, number, depth);
	}
	if (instance.entry == 0) {
		return;
	}
	g_array_append_val(function->instances, instance);
	add_instances(inlines, function, die, number, depth + 1, nesting);
}

/* `depth`: number of instances around the scope; `nesting`: of scopes. */
static void add_instances(const struct itp_inlines *inlines, struct function *function,
			  Dwarf_Die *scope, uint32_t parent, uint32_t depth, guint nesting)
{
	Dwarf_Die die;
	int error = nesting < MAX_DEPTH ? dwarf_child(scope, &die) : 1;

	while (error == 0) {
		switch (dwarf_tag(&die)) {
		case DW_TAG_inlined_subroutine:
			add_inline_instance(inlines, function, &die, parent, depth, nesting + 1);
			break;
		case DW_TAG_lexical_block:
		case DW_TAG_with_stmt:
		case DW_TAG_try_block:
		case DW_TAG_catch_block:
			add_instances(inlines, function, &die, parent, depth, nesting + 1);
			break;
		default:
			break;
		}
		error = dwarf_siblingof(&die, &die);
	}
}

static void read_instances(const struct itp_inlines *inlines, struct function *function)
{
	function->instances = new_table(sizeof(struct instance), clear_instance);
	function->ranges = new_table(sizeof(struct range), NULL);
	add_instances(inlines, function, &function->die, NO_INSTANCE, 0, 0);
	g_array_sort(function->ranges, compare_ranges);
}

/* ---- Chains ---- */

static const char *text_of_attribute(Dwarf_Die *die, unsigned int name)
{
	Dwarf_Attribute attribute;

	return dwarf_attr_integrate(die, name, &attribute) ? dwarf_formstring(&attribute) : NULL;
}

/* Headers of C are where the system keeps them; names of C++ tell their owner themselves. */
static bool is_of_system(Dwarf_Die *die)
{
	const char *file = itp_debug_data_file(die);

	return file && itp_debug_data_is_library(file);
}

/* Where the function of `die` was declared. */
static Dwarf_Die declaration_of(Dwarf_Die *die)
{
	static const unsigned int ways[] = { DW_AT_abstract_origin, DW_AT_specification };
	Dwarf_Die declaration = *die;

	for (size_t i = 0; i < G_N_ELEMENTS(ways); i++) {
		Dwarf_Attribute attribute;
		Dwarf_Die next;

		if (dwarf_attr(&declaration, ways[i], &attribute) &&
		    dwarf_formref_die(&attribute, &next)) {
			declaration = next;
		}
	}
	return declaration;
}

/* Puts the name of a scope in front of `name`: "shop::". */
static void prepend_scope(GString *name, Dwarf_Die *scope)
{
	const char *text = dwarf_diename(scope);

	switch (dwarf_tag(scope)) {
	case DW_TAG_namespace:
		text = text ? text : "(anonymous namespace)";
		break;
	case DW_TAG_class_type:
	case DW_TAG_structure_type:
	case DW_TAG_union_type:
	case DW_TAG_subprogram:
		break;
	default:
		return;
	}
	if (text) {
		g_string_prepend(name, "::");
		g_string_prepend(name, text);
	}
}

/* Name in the source with those of its scopes, of a function without a name for the linker, as
 * static functions and lambdas of C++: "shop::take". NULL without any. */
static char *source_name(Dwarf_Die *die)
{
	Dwarf_Die declaration = declaration_of(die);
	const char *plain = text_of_attribute(die, DW_AT_name);
	GString *name = g_string_new(plain);
	Dwarf_Die *scopes = NULL;
	int count = plain ? dwarf_getscopes_die(&declaration, &scopes) : 0;

	/* The first is the function. */
	for (int i = 1; i < count; i++) {
		prepend_scope(name, &scopes[i]);
	}
	free(scopes);
	return g_string_free(name, !plain);
}

static uint32_t name_function(const struct itp_inlines *inlines, Dwarf_Die *die)
{
	struct itp_inlined_name name = { .symbol = text_of_attribute(die, DW_AT_linkage_name) };
	g_autofree char *of_source = NULL;

	if (!name.symbol) {
		name.symbol = text_of_attribute(die, DW_AT_MIPS_linkage_name);
	}
	if (!name.symbol) {
		of_source = source_name(die);
		name.symbol = of_source;
		name.is_system = of_source && is_of_system(die);
	}
	return name.symbol ? inlines->name(inlines->data, &name) : ITP_FUNCTION_UNKNOWN;
}

/* Calls without a name are left out. */
static struct itp_inlined_chain *make_chain(const struct itp_inlines *inlines,
					    const struct function *function, uint32_t number)
{
	g_autoptr(GArray) calls = new_table(sizeof(struct itp_inlined), NULL);
	struct itp_inlined_chain *chain;

	while (number != NO_INSTANCE) {
		struct instance *instance =
			&g_array_index(function->instances, struct instance, number);
		const struct itp_inlined call = {
			.site = itp_inline_site(instance->entry),
			.function = name_function(inlines, &instance->die),
		};

		if (call.function != ITP_FUNCTION_UNKNOWN) {
			g_array_append_val(calls, call);
		}
		number = instance->parent;
	}
	chain = g_malloc(sizeof(*chain) + calls->len * sizeof(chain->calls[0]));
	chain->count = calls->len;
	for (guint i = 0; i < calls->len; i++) {
		chain->calls[i] = g_array_index(calls, struct itp_inlined, calls->len - 1 - i);
	}
	return chain;
}

const struct itp_inlined_chain *itp_inlines_find(struct itp_inlines *inlines, uint64_t vaddr)
{
	struct function *function;
	struct instance *instance;
	struct unit *unit;
	uint32_t number;

	if (!find_owner(inlines->ranges, vaddr, &number)) {
		return NULL;
	}
	unit = &g_array_index(inlines->units, struct unit, number);
	function = function_around(inlines, unit, vaddr);
	if (!function && !unit->is_searched) {
		read_functions(inlines, unit, true);
		function = function_around(inlines, unit, vaddr);
	}
	if (function && vaddr == function->entry) {
		return NULL;
	}
	if (function && !function->instances) {
		read_instances(inlines, function);
	}
	number = function ? find_innermost(function->ranges, vaddr) : NO_INSTANCE;
	if (number == NO_INSTANCE) {
		return NULL;
	}
	instance = &g_array_index(function->instances, struct instance, number);
	if (!instance->chain) {
		instance->chain = make_chain(inlines, function, number);
	}
	return instance->chain;
}

void itp_inlines_forget(const struct itp_inlines *inlines)
{
	itp_debug_data_forget(inlines->debug_data);
}
