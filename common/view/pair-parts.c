/* SPDX-License-Identifier: MIT */
/*
 * Names are compared as text, as a function of two modules has two numbers; and only those of lone
 * parts, on one side alone, as most workloads have none. A regular expression takes off the last
 * addition to a name, until it finds none.
 */
#include "common/view/pair-parts.h"

#include <string.h>

#include "common/base/hash.h"
#include "common/base/memory.h"
#include "common/base/order.h"
#include "common/known/starts.h"

/* Most lone parts of a kind, as each is compared with each: parts with the fewest functions are
 * left out. */
#define LONE_MOST 512

#define BOTH (ITP_PAIR_BASE | ITP_PAIR_SUSPECT)

#define NUMBER "[-_.+~]?v?\\d+(?:\\.\\d+)*(?:[-+~._]?(?:alpha|beta|rc|pre|dev|git|p|r)\\.?\\d*)?"
#define HASH "[-_.+](?=[a-z]*\\d)[0-9a-f]{7,64}"
#define MARK                                                                                  \
	"[-_.](?:old|new|orig|original|bak|backup|prev|previous|next|good|bad|slow|fast|base" \
	"|baseline|before|after|fixed|broken|patched|debug|release|stable|test|dev)"
/* Names of processes are cut, also behind these marks. */
#define REST "[-_.+~]+"

#define LIBRARY ".so"

/* ---- Stems ---- */

GRegex *itp_stem_additions(void)
{
	GRegex *additions;

	itp_memory_begin();
	additions = g_regex_new("(?:" NUMBER "|" HASH "|" MARK "|" REST ")$", G_REGEX_OPTIMIZE, 0,
				NULL);
	itp_memory_end();
	return additions;
}

/* Position of ".so" at the end of the name, or before a version; the name's end without any. */
static const char *library_suffix(const char *name)
{
	const char *found = g_strrstr(name, LIBRARY);

	if (found && (found[strlen(LIBRARY)] == '\0' || found[strlen(LIBRARY)] == '.')) {
		return found;
	}
	return name + strlen(name);
}

char *itp_stem(const GRegex *additions, const char *name)
{
	const char *suffix = library_suffix(name);
	char *stem = g_strndup(name, (gsize)(suffix - name));
	GMatchInfo *match = NULL;
	int begin;

	while (g_regex_match(additions, stem, 0, &match) &&
	       g_match_info_fetch_pos(match, 0, &begin, NULL) && begin > 0) {
		stem[begin] = '\0';
		g_clear_pointer(&match, g_match_info_free);
	}
	g_match_info_free(match);
	if (suffix[0] != '\0') {
		char *library = g_strconcat(stem, LIBRARY, NULL);

		g_free(stem);
		stem = library;
	}
	return stem;
}

/* ---- Parts of each workload ---- */

struct itp_parts {
	GRegex *additions;
	/* Name → struct itp_part *, by enum itp_pair_kind. Owned by this. */
	GHashTable *of[ITP_PAIR_KIND_COUNT];
};

static void free_part(gpointer data)
{
	struct itp_part *part = data;

	g_free(part->stem);
	g_hash_table_unref(part->functions);
	g_hash_table_unref(part->build_ids);
	g_hash_table_unref(part->files);
	g_free(part);
}

static struct itp_part *part_of(struct itp_parts *parts, enum itp_pair_kind kind, const char *name)
{
	struct itp_part *part = g_hash_table_lookup(parts->of[kind], name);

	if (!part) {
		part = g_new0(struct itp_part, 1);
		part->name = name;
		part->stem = itp_stem(parts->additions, name);
		part->functions = g_hash_table_new(itp_hash_text, g_str_equal);
		part->build_ids = g_hash_table_new(itp_hash_text, g_str_equal);
		part->files = g_hash_table_new(NULL, NULL);
		g_hash_table_insert(parts->of[kind], (gpointer)name, part);
	}
	return part;
}

static void note_function(struct itp_part *part, const struct itp_function *function)
{
	if (!function->is_unnamed && !itp_start_is_everywhere(function->name)) {
		g_hash_table_add(part->functions, (gpointer)function->name);
	}
}

static bool is_library(const char *module)
{
	return strstr(module, ".so") != NULL;
}

static bool is_lone(const struct itp_part *part)
{
	return part && part->sides != 0 && part->sides != BOTH;
}

/* Fills by node its program; and by recorded function the sides that have it. */
static void note_programs(struct itp_parts *parts, const struct itp_pair_input *input,
			  struct itp_part **programs, uint8_t *function_sides)
{
	for (uint32_t node = 1; node < itp_context_tree_size(input->tree); node++) {
		const struct itp_context *context = itp_context_tree_get(input->tree, node);

		function_sides[context->function] |= input->sides[node];
		if (context->depth > 1) {
			programs[node] = programs[context->parent];
			continue;
		}
		programs[node] = part_of(
			parts, ITP_PAIR_PROGRAM,
			itp_function_table_get(input->functions, input->renamed[context->function])
				->name);
		programs[node]->sides |= input->sides[node];
	}
}

/* Module of a recorded function; NULL for made code, and the like. */
static struct itp_part *note_module(struct itp_parts *parts, const struct itp_pair_input *input,
				    uint32_t recorded, uint8_t sides)
{
	const struct itp_function *function =
		itp_function_table_get(input->functions, input->renamed[recorded]);
	const char *build_id = itp_function_table_get(input->recorded, recorded)->build_id;
	struct itp_part *module;

	if (sides == 0 || function->layer != ITP_LAYER_USER || function->module[0] == '\0' ||
	    function->module[0] == '[') {
		return NULL;
	}
	module = part_of(parts, ITP_PAIR_MODULE, function->module);
	module->sides |= sides;
	if (build_id[0] != '\0') {
		g_hash_table_add(module->build_ids, (gpointer)build_id);
	}
	return module;
}

/* Notes a function of a lone program in a file that is no library. */
static void note_frame(struct itp_part *program, struct itp_part *module,
		       const struct itp_function *function)
{
	guint count = GPOINTER_TO_UINT(g_hash_table_lookup(program->files, module));

	g_hash_table_insert(program->files, module, GUINT_TO_POINTER(count + 1));
	note_function(program, function);
}

static void note_all(struct itp_parts *parts, const struct itp_pair_input *input)
{
	uint32_t node_count = itp_context_tree_size(input->tree);
	uint32_t function_count = itp_function_table_size(input->recorded);
	g_autofree struct itp_part **programs = g_new0(struct itp_part *, node_count);
	g_autofree struct itp_part **modules = g_new0(struct itp_part *, function_count);
	g_autofree uint8_t *sides = g_new0(uint8_t, function_count);

	note_programs(parts, input, programs, sides);
	for (uint32_t id = 0; id < function_count; id++) {
		modules[id] = note_module(parts, input, id, sides[id]);
	}
	for (uint32_t id = 0; id < function_count; id++) {
		if (is_lone(modules[id])) {
			note_function(modules[id],
				      itp_function_table_get(input->functions, input->renamed[id]));
		}
	}
	for (uint32_t node = 1; node < node_count; node++) {
		uint32_t id = itp_context_tree_get(input->tree, node)->function;

		if (is_lone(programs[node]) && modules[id] && !is_library(modules[id]->name)) {
			note_frame(programs[node], modules[id],
				   itp_function_table_get(input->functions, input->renamed[id]));
		}
	}
}

struct itp_parts *itp_parts_new(const struct itp_pair_input *input)
{
	struct itp_parts *parts = g_new0(struct itp_parts, 1);

	parts->additions = itp_stem_additions();
	for (size_t kind = 0; kind < ITP_PAIR_KIND_COUNT; kind++) {
		parts->of[kind] =
			g_hash_table_new_full(itp_hash_text, g_str_equal, NULL, free_part);
	}
	note_all(parts, input);
	return parts;
}

void itp_parts_free(struct itp_parts *parts)
{
	for (size_t kind = 0; kind < ITP_PAIR_KIND_COUNT; kind++) {
		g_hash_table_unref(parts->of[kind]);
	}
	g_regex_unref(parts->additions);
	g_free(parts);
}

struct itp_part *itp_parts_find(const struct itp_parts *parts, enum itp_pair_kind kind,
				const char *name)
{
	return g_hash_table_lookup(parts->of[kind], name);
}

struct itp_part *itp_part_file(const struct itp_part *program)
{
	GHashTableIter iter;
	gpointer module;
	gpointer count;
	struct itp_part *best = NULL;
	guint most = 0;

	g_hash_table_iter_init(&iter, program->files);
	while (g_hash_table_iter_next(&iter, &module, &count)) {
		struct itp_part *part = module;

		if (GPOINTER_TO_UINT(count) > most ||
		    (GPOINTER_TO_UINT(count) == most && strcmp(part->name, best->name) < 0)) {
			best = part;
			most = GPOINTER_TO_UINT(count);
		}
	}
	return best;
}

/* Most functions first. */
static gint compare_parts(gconstpointer a, gconstpointer b)
{
	const struct itp_part *const *left = a;
	const struct itp_part *const *right = b;
	guint left_count = g_hash_table_size((*left)->functions);
	guint right_count = g_hash_table_size((*right)->functions);

	return ITP_ORDER(right_count, left_count) ?: strcmp((*left)->name, (*right)->name);
}

GPtrArray *itp_parts_lone(const struct itp_parts *parts, enum itp_pair_kind kind)
{
	GPtrArray *lone = g_ptr_array_new();
	GHashTableIter iter;
	gpointer data;

	g_hash_table_iter_init(&iter, parts->of[kind]);
	while (g_hash_table_iter_next(&iter, NULL, &data)) {
		struct itp_part *part = data;

		if (is_lone(part) && !part->other) {
			g_ptr_array_add(lone, part);
		}
	}
	g_ptr_array_sort(lone, compare_parts);
	g_ptr_array_set_size(lone, (gint)MIN(lone->len, LONE_MOST));
	return lone;
}

guint itp_parts_in_common(GHashTable *a, GHashTable *b)
{
	bool is_smaller = g_hash_table_size(a) < g_hash_table_size(b);
	GHashTable *others = is_smaller ? b : a;
	GHashTableIter iter;
	gpointer key;
	guint count = 0;

	g_hash_table_iter_init(&iter, is_smaller ? a : b);
	while (g_hash_table_iter_next(&iter, &key, NULL)) {
		count += g_hash_table_contains(others, key);
	}
	return count;
}
