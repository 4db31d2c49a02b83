/* SPDX-License-Identifier: MIT */
/*
 * See summary.h.
 */
#include "common/unit/summary.h"

#include <string.h>

#include "common/base/context-function.h"

struct names {
	const struct itp_context_tree *tree;
	const struct itp_function_table *functions;
};

static const char *name_of_node(const struct names *names, uint32_t node)
{
	return itp_context_function(names->tree, names->functions, node)->name;
}

static const char *name_of_process(const struct names *names, uint32_t node)
{
	while (itp_context_tree_get(names->tree, node)->parent != ITP_CONTEXT_ROOT) {
		node = itp_context_tree_get(names->tree, node)->parent;
	}
	return name_of_node(names, node);
}

static char *telling_of(const struct names *names, const struct itp_unit_type *type)
{
	const char *between = type->telling_is == ITP_TELLING_ALTOGETHER ? " + " :
									   ITP_UNIT_BETWEEN_NAMES;
	GString *text = g_string_new(NULL);

	for (guint i = 0; i < type->telling->len; i++) {
		g_string_append_printf(
			text, "%s%s", i > 0 ? between : "",
			name_of_node(names, g_array_index(type->telling, uint32_t, i)));
	}
	return g_string_free(text, FALSE);
}

/* Amount of facts in a type's name: each includes those before. */
enum detail {
	CALLS,
	SIZE,
	CPU_TIME,
};

static void append_number(GString *name, const char *format, double number)
{
	g_autofree char *text = g_strdup_printf(format, number);

	g_string_append_printf(name, "%s%s", name->len > 0 ? ITP_UNIT_BETWEEN_NAMES : "", text);
}

/* Example: "serve; asked in about 22 bytes; about 2 ms of CPU time", with bytes to two digits and
 * time to one, equal in several runs of a program. */
static char *name_with(const struct names *names, const struct itp_unit_type *type,
		       enum detail detail)
{
	g_autofree char *telling = telling_of(names, type);
	const double count = (double)type->count;
	GString *name = g_string_new(telling);

	if (detail >= SIZE && type->talk.asked_bytes > 0) {
		append_number(name, "asked in about %.2g bytes",
			      (double)type->talk.asked_bytes / count);
	}
	if (detail >= CPU_TIME) {
		append_number(name, "about %.0g ms of CPU time",
			      (double)type->use.cpu_ns / 1e6 / count);
	}
	return g_string_free(name, FALSE);
}

/* True when another type of the loop has the same name. */
static bool is_ambiguous(const struct names *names, const GArray *found, guint place,
			 enum detail detail)
{
	const struct itp_unit_type *type = &g_array_index(found, struct itp_unit_type, place);
	g_autofree char *own = name_with(names, type, detail);

	for (guint i = 0; i < found->len; i++) {
		const struct itp_unit_type *other = &g_array_index(found, struct itp_unit_type, i);
		g_autofree char *name = other->loop == type->loop && i != place ?
						name_with(names, other, detail) :
						NULL;

		if (name && g_str_equal(name, own)) {
			return true;
		}
	}
	return false;
}

/* Name with as many facts as tell the type from the loop's other types. */
static char *distinct_name(const struct names *names, const GArray *found, guint place)
{
	enum detail detail = CALLS;

	while (detail < CPU_TIME && is_ambiguous(names, found, place, detail)) {
		detail++;
	}
	return name_with(names, &g_array_index(found, struct itp_unit_type, place), detail);
}

static guint add_type_sum(struct itp_unit_sums *sums, const struct names *names,
			  const GArray *found, guint place)
{
	const struct itp_unit_type *type = &g_array_index(found, struct itp_unit_type, place);
	g_autofree char *telling = distinct_name(names, found, place);
	const struct itp_unit_sum sum = {
		.process = name_of_process(names, type->loop),
		.loop = name_of_node(names, type->loop),
		.wait = name_of_node(names, type->wait) + strlen(ITP_SYSCALL_PREFIX),
		.telling = telling,
		.count = type->count,
		.total_ns = type->total_ns,
		.min_ns = type->min_ns,
		.max_ns = type->max_ns,
		.use = type->use,
	};

	return itp_unit_sums_add(sums, &sum);
}

void itp_unit_types_sum(struct itp_unit_types *types, const struct itp_function_table *functions,
			double cut, struct itp_unit_sums *sums, GArray *ret_numbers)
{
	const GArray *found = itp_unit_types_find(types, cut);
	const struct names names = { .tree = itp_unit_types_tree(types), .functions = functions };

	for (guint i = 0; i < found->len; i++) {
		const guint number = add_type_sum(sums, &names, found, i);

		itp_unit_types_add_units(types, i, itp_unit_sums_latencies(sums),
					 itp_unit_sums_slowest(sums), number);
		if (ret_numbers) {
			g_array_append_val(ret_numbers, number);
		}
	}
}
