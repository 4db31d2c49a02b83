/* SPDX-License-Identifier: MIT */
/*
 * Rules of pairs, from the surest to a mere count of functions. Parts of each workload are noted in
 * pair-parts.c.
 */
#include "common/view/pairs.h"

#include <string.h>

#include "common/base/hash.h"
#include "common/base/order.h"
#include "common/view/pair-parts.h"

/* Least part of the smaller number of functions in common, for parts with equal stems. */
#define NAMESAKES_LEAST 0.2
/* Least part of all functions of both in common, and least number of these, for parts without any
 * other likeness. */
#define STRANGERS_LEAST 0.5
#define STRANGERS_FUNCTIONS_LEAST 4
/* Most names of a side in an error. */
#define TOLD_NAMES 8

const char *const itp_pair_kind_names[] = {
	[ITP_PAIR_MODULE] = "module",
	[ITP_PAIR_PROGRAM] = "program",
};

const char *const itp_pair_reason_names[] = {
	[ITP_PAIR_BY_USER] = "user",
	[ITP_PAIR_BY_BUILD_ID] = "build id",
	[ITP_PAIR_BY_NAME] = "name",
	[ITP_PAIR_BY_FUNCTIONS] = "functions",
};

struct finder {
	struct itp_parts *parts;
	GArray *pairs;
};

/* ---- Partners ---- */

static void pair_up(struct finder *finder, enum itp_pair_kind kind, enum itp_pair_reason reason,
		    struct itp_part *base, struct itp_part *suspect)
{
	const struct itp_pair pair = { .kind = kind,
				       .reason = reason,
				       .base = g_strdup(base->name),
				       .suspect = g_strdup(suspect->name) };

	base->other = suspect;
	suspect->other = base;
	g_array_append_val(finder->pairs, pair);
}

static bool run_one_file(const struct itp_part *base, const struct itp_part *suspect)
{
	const struct itp_part *left = itp_part_file(base);
	const struct itp_part *right = itp_part_file(suspect);

	return left && right && (left == right || left->other == right);
}

static bool have_one_build_id(const struct itp_part *base, const struct itp_part *suspect)
{
	return itp_parts_in_common(base->build_ids, suspect->build_ids) > 0;
}

static bool are_namesakes(const struct itp_part *base, const struct itp_part *suspect)
{
	guint least =
		MIN(g_hash_table_size(base->functions), g_hash_table_size(suspect->functions));
	guint common;

	if (strcmp(base->stem, suspect->stem) != 0) {
		return false;
	}
	common = itp_parts_in_common(base->functions, suspect->functions);
	return common > 0 && common >= NAMESAKES_LEAST * least;
}

static bool have_one_code(const struct itp_part *base, const struct itp_part *suspect)
{
	guint left = g_hash_table_size(base->functions);
	guint right = g_hash_table_size(suspect->functions);
	guint common;

	if (MIN(left, right) < STRANGERS_LEAST * MAX(left, right)) {
		return false;
	}
	common = itp_parts_in_common(base->functions, suspect->functions);
	return common >= STRANGERS_FUNCTIONS_LEAST &&
	       common >= STRANGERS_LEAST * (left + right - common);
}

typedef bool (*are_one_func)(const struct itp_part *base, const struct itp_part *suspect);

/* Partner of `part` among `candidates` on the `side`; NULL unless there is exactly one. */
static struct itp_part *only_partner(const GPtrArray *candidates, enum itp_pair_side side,
				     struct itp_part *part, are_one_func are_one)
{
	struct itp_part *found = NULL;

	for (guint i = 0; i < candidates->len; i++) {
		struct itp_part *other = g_ptr_array_index(candidates, i);
		bool is_base = side == ITP_PAIR_BASE;

		if (other->sides != side || other->other ||
		    !are_one(is_base ? other : part, is_base ? part : other)) {
			continue;
		}
		if (found) {
			return NULL;
		}
		found = other;
	}
	return found;
}

static void pair_by(struct finder *finder, enum itp_pair_kind kind, enum itp_pair_reason reason,
		    are_one_func are_one)
{
	g_autoptr(GPtrArray) lone = itp_parts_lone(finder->parts, kind);

	for (guint i = 0; i < lone->len; i++) {
		struct itp_part *base = g_ptr_array_index(lone, i);
		struct itp_part *suspect;

		if (base->sides != ITP_PAIR_BASE) {
			continue;
		}
		suspect = only_partner(lone, ITP_PAIR_SUSPECT, base, are_one);
		if (suspect && only_partner(lone, ITP_PAIR_BASE, suspect, are_one) == base) {
			pair_up(finder, kind, reason, base, suspect);
		}
	}
}

static bool are_program_namesakes(const struct itp_part *base, const struct itp_part *suspect)
{
	return run_one_file(base, suspect) && are_namesakes(base, suspect);
}

static bool are_one_program(const struct itp_part *base, const struct itp_part *suspect)
{
	return run_one_file(base, suspect) && have_one_code(base, suspect);
}

/* ---- Rules of the user ---- */

static bool pair_named(struct finder *finder, const char *one, const char *other)
{
	bool found = false;

	for (enum itp_pair_kind kind = ITP_PAIR_MODULE; kind < ITP_PAIR_KIND_COUNT; kind++) {
		struct itp_part *left = itp_parts_find(finder->parts, kind, one);
		struct itp_part *right = itp_parts_find(finder->parts, kind, other);

		if (!left || !right || left->other || right->other) {
			continue;
		}
		if (left->sides & ITP_PAIR_BASE && right->sides & ITP_PAIR_SUSPECT) {
			pair_up(finder, kind, ITP_PAIR_BY_USER, left, right);
			found = true;
		} else if (right->sides & ITP_PAIR_BASE && left->sides & ITP_PAIR_SUSPECT) {
			pair_up(finder, kind, ITP_PAIR_BY_USER, right, left);
			found = true;
		}
	}
	return found;
}

/* Programs, then modules that only one side has and that are in no pair: "job-1.7, scan.so"; "none"
 * without any. Owned by the caller. */
static char *list_lone(const struct finder *finder, enum itp_pair_side side)
{
	g_autoptr(GHashTable) told = g_hash_table_new(itp_hash_text, g_str_equal);
	GString *list = g_string_new(NULL);
	guint count = 0;

	for (int kind = ITP_PAIR_KIND_COUNT - 1; kind >= 0; kind--) {
		g_autoptr(GPtrArray) lone = itp_parts_lone(finder->parts, (enum itp_pair_kind)kind);

		for (guint i = 0; i < lone->len; i++) {
			const struct itp_part *part = g_ptr_array_index(lone, i);

			/* A program mostly has the name of its file. */
			if (part->sides == side && g_hash_table_add(told, (gpointer)part->name) &&
			    count++ < TOLD_NAMES) {
				g_string_append_printf(list, "%s%s", list->len > 0 ? ", " : "",
						       part->name);
			}
		}
	}
	g_string_append(list, count == 0 ? "none" : count > TOLD_NAMES ? ", \u2026" : "");
	return g_string_free(list, FALSE);
}

static void refuse_names(const struct finder *finder, char *const *names, GError **error)
{
	g_autofree char *base = list_lone(finder, ITP_PAIR_BASE);
	g_autofree char *suspect = list_lone(finder, ITP_PAIR_SUSPECT);

	g_set_error(error, G_OPTION_ERROR, G_OPTION_ERROR_BAD_VALUE,
		    "parameter \"pair\": no program or module is called \"%s\" in one workload and "
		    "\"%s\" in the other; names in one alone: %s (base); %s (suspect)",
		    names[0], names[1], base, suspect);
}

static bool apply_rule(struct finder *finder, const char *rule, GError **error)
{
	g_auto(GStrv) names = g_strsplit(rule, "=", 2);

	if (g_strv_length(names) != 2 || names[0][0] == '\0' || names[1][0] == '\0') {
		g_set_error(
			error, G_OPTION_ERROR, G_OPTION_ERROR_BAD_VALUE,
			"parameter \"pair\": \"%s\" is neither BASE=SUSPECT, two names of a program "
			"or a module, nor \"" ITP_PAIR_NONE "\"",
			rule);
		return false;
	}
	if (!pair_named(finder, names[0], names[1])) {
		refuse_names(finder, names, error);
		return false;
	}
	return true;
}

/* ---- All rules ---- */

bool itp_pair_rules_are_all(const struct itp_pair_rules *rules)
{
	return rules->named && g_ptr_array_find_with_equal_func((GPtrArray *)rules->named,
								ITP_PAIR_NONE, g_str_equal, NULL);
}

static bool find_pairs(struct finder *finder, const struct itp_pair_rules *rules,
		       bool is_other_machine, GError **error)
{
	for (guint i = 0; rules->named && i < rules->named->len; i++) {
		const char *rule = g_ptr_array_index(rules->named, i);

		if (strcmp(rule, ITP_PAIR_NONE) != 0 && !apply_rule(finder, rule, error)) {
			return false;
		}
	}
	if (!itp_pair_rules_are_all(rules) && !is_other_machine) {
		pair_by(finder, ITP_PAIR_MODULE, ITP_PAIR_BY_BUILD_ID, have_one_build_id);
		pair_by(finder, ITP_PAIR_MODULE, ITP_PAIR_BY_NAME, are_namesakes);
		pair_by(finder, ITP_PAIR_MODULE, ITP_PAIR_BY_FUNCTIONS, have_one_code);
		pair_by(finder, ITP_PAIR_PROGRAM, ITP_PAIR_BY_NAME, are_program_namesakes);
		pair_by(finder, ITP_PAIR_PROGRAM, ITP_PAIR_BY_FUNCTIONS, are_one_program);
	}
	return true;
}

static void clear_pair(gpointer data)
{
	struct itp_pair *pair = data;

	g_free(pair->base);
	g_free(pair->suspect);
}

/* Programs first. */
static gint compare_pairs(gconstpointer a, gconstpointer b)
{
	const struct itp_pair *left = a;
	const struct itp_pair *right = b;

	return ITP_ORDER(right->kind, left->kind) ?: strcmp(left->suspect, right->suspect);
}

GArray *itp_pairs_find(const struct itp_pair_rules *rules, const struct itp_pair_input *input,
		       GError **error)
{
	struct finder finder = { .parts = itp_parts_new(input),
				 .pairs = g_array_new(FALSE, FALSE, sizeof(struct itp_pair)) };
	bool done;

	g_array_set_clear_func(finder.pairs, clear_pair);
	done = find_pairs(&finder, rules, input->is_other_machine, error);
	itp_parts_free(finder.parts);
	if (!done) {
		g_array_unref(finder.pairs);
		return NULL;
	}
	g_array_sort(finder.pairs, compare_pairs);
	return finder.pairs;
}

const char *itp_pairs_name(const GArray *pairs, enum itp_pair_kind kind, const char *name)
{
	for (guint i = 0; i < pairs->len; i++) {
		const struct itp_pair *pair = &g_array_index(pairs, struct itp_pair, i);

		if (pair->kind == kind && strcmp(pair->base, name) == 0) {
			return pair->suspect;
		}
	}
	return name;
}
