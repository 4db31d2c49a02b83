/* SPDX-License-Identifier: MIT */
/*
 * See renamed.h. Functions are numbers here; the surroundings of a function are a set of numbers,
 * even ones for callers and odd ones for callees.
 */
#include "common/view/renamed.h"

#include <string.h>

#include "common/base/hash.h"
#include "common/base/order.h"
#include "common/view/pair-parts.h"

/* Least part of the surroundings of both functions, and least number of neighbours, in common. */
#define NEIGHBOURS_PART 0.5
#define NEIGHBOURS_LEAST 3
/* Most lone functions of a side, as each is compared with each: the others are left out. */
#define LONE_MOST 512

#define BOTH (ITP_PAIR_BASE | ITP_PAIR_SUSPECT)

struct module {
	/* Sets of const char *, of the base and the suspect. Owned by this. */
	GHashTable *build_ids[2];
};

/* A function of a single workload. */
struct lone {
	uint32_t function;
	/* Owned by this. */
	char *bare_name;
	GHashTable *neighbours;
	bool is_found;
};

struct finder {
	const struct itp_pair_input *input;
	const GArray *pairs;
	/* Name → struct module *. Owned by this. */
	GHashTable *modules;
	/* Bits of enum itp_pair_side by function; and struct lone * or NULL. Owned by this. */
	uint8_t *sides;
	struct lone **lone_of;
	/* struct lone *, of the base and the suspect. All owned by this. */
	GPtrArray *lone[2];
	GArray *found;
};

static uint32_t function_at(const struct finder *finder, uint32_t node)
{
	const struct itp_pair_input *input = finder->input;

	return input->renamed[itp_context_tree_get(input->tree, node)->function];
}

/* ---- Functions of each workload ---- */

static void free_module(gpointer data)
{
	struct module *module = data;

	g_hash_table_unref(module->build_ids[0]);
	g_hash_table_unref(module->build_ids[1]);
	g_free(module);
}

static void free_lone(gpointer data)
{
	struct lone *lone = data;

	g_free(lone->bare_name);
	g_hash_table_unref(lone->neighbours);
	g_free(lone);
}

static void note_module(struct finder *finder, const char *name, const char *build_id,
			uint8_t sides)
{
	struct module *module = g_hash_table_lookup(finder->modules, name);

	if (!module) {
		module = g_new0(struct module, 1);
		module->build_ids[0] = g_hash_table_new(itp_hash_text, g_str_equal);
		module->build_ids[1] = g_hash_table_new(itp_hash_text, g_str_equal);
		g_hash_table_insert(finder->modules, (gpointer)name, module);
	}
	for (size_t side = 0; side < 2; side++) {
		if (sides & 1u << side && build_id[0] != '\0') {
			g_hash_table_add(module->build_ids[side], (gpointer)build_id);
		}
	}
}

static void note_sides(struct finder *finder)
{
	const struct itp_pair_input *input = finder->input;
	uint32_t count = itp_function_table_size(input->recorded);
	g_autofree uint8_t *sides = g_new0(uint8_t, count);

	for (uint32_t node = 1; node < itp_context_tree_size(input->tree); node++) {
		sides[itp_context_tree_get(input->tree, node)->function] |= input->sides[node];
	}
	for (uint32_t recorded = 0; recorded < count; recorded++) {
		uint32_t id = input->renamed[recorded];
		const struct itp_function *function = itp_function_table_get(input->functions, id);

		finder->sides[id] |= sides[recorded];
		if (sides[recorded] != 0 && function->layer == ITP_LAYER_USER &&
		    function->module[0] != '\0') {
			note_module(finder, function->module,
				    itp_function_table_get(input->recorded, recorded)->build_id,
				    sides[recorded]);
		}
	}
}

/* True for code in no file, which is made anew in each run. */
static bool is_made(const char *module)
{
	return module[0] == '[';
}

/* True if its code is known to differ between the workloads. */
static bool has_changed(const struct finder *finder, const char *name)
{
	const struct module *module = g_hash_table_lookup(finder->modules, name);

	if (is_made(name)) {
		return true;
	}
	for (guint i = 0; i < finder->pairs->len; i++) {
		const struct itp_pair *pair = &g_array_index(finder->pairs, struct itp_pair, i);

		if (pair->kind == ITP_PAIR_MODULE && strcmp(pair->suspect, name) == 0) {
			return pair->reason != ITP_PAIR_BY_BUILD_ID;
		}
	}
	return module && g_hash_table_size(module->build_ids[0]) > 0 &&
	       g_hash_table_size(module->build_ids[1]) > 0 &&
	       itp_parts_in_common(module->build_ids[0], module->build_ids[1]) == 0;
}

/* ---- Functions of a single workload ---- */

/* Name without parameters and template arguments; an operator's name as it is. */
static char *bare_name(const char *name)
{
	GString *bare = g_string_new(NULL);
	unsigned int depth = 0;

	if (strstr(name, "operator")) {
		return g_string_free(g_string_append(bare, name), FALSE);
	}
	for (const char *at = name; *at != '\0'; at++) {
		if (*at == '<' || *at == '(') {
			depth++;
		} else if ((*at == '>' || *at == ')') && depth > 0) {
			depth--;
		} else if (depth == 0) {
			g_string_append_c(bare, *at);
		}
	}
	return g_string_free(bare, FALSE);
}

/* Name without the script's directories, which differ between versions: virtual machines name
 * functions with the paths of their scripts. */
static char *name_in_script(const char *name)
{
	GString *text = g_string_new(NULL);
	gsize path = 0;

	for (const char *at = name; *at != '\0'; at++) {
		if (*at == '/') {
			g_string_truncate(text, path);
			continue;
		}
		g_string_append_c(text, *at);
		if (*at == ' ' || *at == ':') {
			path = text->len;
		}
	}
	return g_string_free(text, FALSE);
}

static void note_lone(struct finder *finder, uint32_t id)
{
	const struct itp_function *function = itp_function_table_get(finder->input->functions, id);
	GPtrArray *list = finder->lone[finder->sides[id] == ITP_PAIR_BASE ? 0 : 1];
	struct lone *lone;

	if (finder->sides[id] == 0 || finder->sides[id] == BOTH || function->is_unnamed ||
	    function->layer != ITP_LAYER_USER || list->len >= LONE_MOST ||
	    !has_changed(finder, function->module)) {
		return;
	}
	lone = g_new0(struct lone, 1);
	lone->function = id;
	lone->bare_name = is_made(function->module) ? name_in_script(function->name) :
						      bare_name(function->name);
	lone->neighbours = g_hash_table_new(itp_hash_number, NULL);
	finder->lone_of[id] = lone;
	g_ptr_array_add(list, lone);
}

static void note_neighbours(struct finder *finder)
{
	const struct itp_context_tree *tree = finder->input->tree;

	for (uint32_t node = 1; node < itp_context_tree_size(tree); node++) {
		const struct itp_context *context = itp_context_tree_get(tree, node);
		uint32_t callee = function_at(finder, node);
		uint32_t caller;

		if (context->depth <= 1) {
			continue;
		}
		caller = function_at(finder, context->parent);
		if (finder->lone_of[callee]) {
			g_hash_table_add(finder->lone_of[callee]->neighbours,
					 GSIZE_TO_POINTER((gsize)caller * 2));
		}
		if (finder->lone_of[caller]) {
			g_hash_table_add(finder->lone_of[caller]->neighbours,
					 GSIZE_TO_POINTER((gsize)callee * 2 + 1));
		}
	}
}

/* ---- Partners ---- */

static bool are_of_one_module(const struct finder *finder, const struct lone *base,
			      const struct lone *suspect)
{
	const struct itp_function_table *functions = finder->input->functions;

	return strcmp(itp_function_table_get(functions, base->function)->module,
		      itp_function_table_get(functions, suspect->function)->module) == 0;
}

static bool have_one_name(const struct lone *base, const struct lone *suspect)
{
	return strcmp(base->bare_name, suspect->bare_name) == 0;
}

static bool have_one_place(const struct lone *base, const struct lone *suspect)
{
	GHashTableIter iter;
	gpointer key;
	guint common = 0;
	guint callees = 0;
	guint all;

	g_hash_table_iter_init(&iter, base->neighbours);
	while (g_hash_table_iter_next(&iter, &key, NULL)) {
		if (g_hash_table_contains(suspect->neighbours, key)) {
			common++;
			callees += GPOINTER_TO_SIZE(key) % 2;
		}
	}
	all = g_hash_table_size(base->neighbours) + g_hash_table_size(suspect->neighbours) - common;
	return callees > 0 && common >= NEIGHBOURS_LEAST && common >= NEIGHBOURS_PART * all;
}

typedef bool (*are_one_func)(const struct lone *base, const struct lone *suspect);

/* Partner of `lone` in the other workload; NULL unless there is exactly one. `is_base` is for
 * `lone`. */
static struct lone *only_other(const struct finder *finder, const struct lone *lone, bool is_base,
			       are_one_func are_one)
{
	const GPtrArray *others = finder->lone[is_base ? 1 : 0];
	struct lone *only = NULL;

	for (guint i = 0; i < others->len; i++) {
		struct lone *other = g_ptr_array_index(others, i);

		if (other->is_found || !are_of_one_module(finder, lone, other) ||
		    !are_one(is_base ? lone : other, is_base ? other : lone)) {
			continue;
		}
		if (only) {
			return NULL;
		}
		only = other;
	}
	return only;
}

static void find_by(struct finder *finder, enum itp_pair_reason reason, are_one_func are_one)
{
	for (guint i = 0; i < finder->lone[0]->len; i++) {
		struct lone *base = g_ptr_array_index(finder->lone[0], i);
		struct lone *suspect = base->is_found ? NULL :
							only_other(finder, base, true, are_one);

		if (suspect && only_other(finder, suspect, false, are_one) == base) {
			const struct itp_renaming renaming = { .base = base->function,
							       .suspect = suspect->function,
							       .reason = reason };

			base->is_found = true;
			suspect->is_found = true;
			g_array_append_val(finder->found, renaming);
		}
	}
}

static gint compare_renamings(gconstpointer a, gconstpointer b)
{
	const struct itp_renaming *left = a;
	const struct itp_renaming *right = b;

	return ITP_ORDER(left->suspect, right->suspect);
}

GArray *itp_renamed_find(const struct itp_pair_input *input, const GArray *pairs)
{
	uint32_t size = itp_function_table_size(input->functions);
	struct finder finder = {
		.input = input,
		.pairs = pairs,
		.modules = g_hash_table_new_full(itp_hash_text, g_str_equal, NULL, free_module),
		.sides = g_new0(uint8_t, size),
		.lone_of = g_new0(struct lone *, size),
		.lone = { g_ptr_array_new_with_free_func(free_lone),
			  g_ptr_array_new_with_free_func(free_lone) },
		.found = g_array_new(FALSE, FALSE, sizeof(struct itp_renaming)),
	};

	note_sides(&finder);
	for (uint32_t id = 1; id < size; id++) {
		note_lone(&finder, id);
	}
	note_neighbours(&finder);
	find_by(&finder, ITP_PAIR_BY_NAME, have_one_name);
	find_by(&finder, ITP_PAIR_BY_FUNCTIONS, have_one_place);
	g_array_sort(finder.found, compare_renamings);
	g_hash_table_unref(finder.modules);
	g_free(finder.sides);
	g_free(finder.lone_of);
	g_ptr_array_unref(finder.lone[0]);
	g_ptr_array_unref(finder.lone[1]);
	return finder.found;
}
