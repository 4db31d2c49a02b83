/* SPDX-License-Identifier: MIT */
/*
 * Costly patterns that stacks of their own cost enough, and maximal ones alone: by hand, and
 * against all subsequences of all stacks, tried one by one. Functions are letters here.
 */
#include <string.h>

#include "common/mine/patterns.h"

#define SEEDS 4000
#define LETTERS 26
#define MAX_STACKS 7
#define MAX_LENGTH 7

static void add(struct itp_stack_set *set, const char *stack, int64_t cost_ns, uint32_t trace)
{
	uint32_t node = ITP_CONTEXT_ROOT;

	for (const char *letter = stack; *letter; letter++) {
		node = itp_context_tree_child(set->tree, node, (uint32_t)(*letter - 'a'));
	}
	itp_stack_set_add(set, node, cost_ns, 1, trace);
}

/* "COST PATTERN", a line for each. */
static char *text_of(const struct itp_mined_patterns *patterns)
{
	GString *text = g_string_new(NULL);

	for (guint i = 0; i < patterns->list->len; i++) {
		const struct itp_pattern *pattern =
			&g_array_index(patterns->list, struct itp_pattern, i);

		g_string_append_printf(text, "%d ", (int)pattern->cost_ns);
		for (uint32_t k = 0; k < pattern->length; k++) {
			g_string_append_c(text, (char)('a' + pattern->functions[k]));
		}
		g_string_append_c(text, '\n');
	}
	return g_string_free(text, FALSE);
}

static char *patterns_by(const struct itp_stack_set *set, int64_t least_ns, bool are_maximal,
			 bool looks_closely)
{
	const struct itp_pattern_options options = { .least_ns = least_ns,
						     .choice = are_maximal ? ITP_PATTERNS_MAXIMAL :
									     ITP_PATTERNS_OWN,
						     .looks_closely = looks_closely };
	struct itp_mined_patterns patterns;
	char *text;

	itp_mined_patterns_init(&patterns, set, LETTERS, &options);
	g_assert_false(patterns.is_incomplete);
	text = text_of(&patterns);
	itp_mined_patterns_release(&patterns);
	return text;
}

/* How closely the search looks changes nothing. */
static char *patterns_of(const struct itp_stack_set *set, int64_t least_ns, bool are_maximal)
{
	g_autofree char *closely = patterns_by(set, least_ns, are_maximal, true);
	char *text = patterns_by(set, least_ns, are_maximal, false);

	g_assert_cmpstr(closely, ==, text);
	return text;
}

static void assert_patterns(const struct itp_stack_set *set, int64_t least_ns, const char *wanted)
{
	g_autofree char *text = patterns_of(set, least_ns, false);

	g_assert_cmpstr(text, ==, wanted);
}

static void assert_maximal(const struct itp_stack_set *set, int64_t least_ns, const char *wanted)
{
	g_autofree char *text = patterns_of(set, least_ns, true);

	g_assert_cmpstr(text, ==, wanted);
}

static void test_by_hand(void)
{
	struct itp_stack_set set;

	itp_stack_set_init(&set);
	add(&set, "mabz", 5, 0);
	add(&set, "macz", 4, 0);
	add(&set, "mdz", 3, 1);
	/* m..z costs 12, ma.z 9, mabz 5. */
	assert_patterns(&set, 13, "");
	assert_patterns(&set, 12, "12 mz\n");
	assert_patterns(&set, 9, "9 maz\n");
	assert_patterns(&set, 5, "5 mabz\n");
	/* macz is costly by itself; mdz only from 3 on. */
	assert_patterns(&set, 4, "5 mabz\n4 macz\n");
	assert_patterns(&set, 3, "5 mabz\n4 macz\n3 mdz\n");
	itp_stack_set_release(&set);
}

/* What a longer pattern does not have is told if it costs enough by itself. */
static void test_shorter_patterns(void)
{
	struct itp_stack_set set;

	itp_stack_set_init(&set);
	add(&set, "maz", 9, 0);
	add(&set, "mbz", 3, 0);
	add(&set, "mcz", 3, 1);
	add(&set, "mc", 2, 1);
	/* m..z costs 15, of which maz has 9: 6 are left. All that is m costs 17. */
	assert_patterns(&set, 6, "9 maz\n6 mz\n");
	assert_maximal(&set, 6, "9 maz\n");
	assert_patterns(&set, 7, "9 maz\n");
	/* mc costs 5, of which mcz has 3. */
	assert_patterns(&set, 3, "9 maz\n3 mbz\n3 mcz\n");
	assert_patterns(&set, 2, "9 maz\n3 mbz\n3 mcz\n2 mc\n");
	assert_maximal(&set, 2, "9 maz\n3 mbz\n3 mcz\n");
	itp_stack_set_release(&set);
}

/* Where a pattern is as late as it can be counts as well: axb is in abxb. */
static void test_places(void)
{
	struct itp_stack_set set;

	itp_stack_set_init(&set);
	add(&set, "abxb", 4, 0);
	add(&set, "axb", 4, 0);
	assert_patterns(&set, 8, "8 axb\n");
	assert_patterns(&set, 4, "4 abxb\n4 axb\n");
	assert_maximal(&set, 4, "4 abxb\n");
	itp_stack_set_release(&set);
}

static void test_equal_stacks_are_joined(void)
{
	struct itp_stack_set set;

	itp_stack_set_init(&set);
	add(&set, "ma", 2, 0);
	add(&set, "ma", 3, 1);
	g_assert_cmpuint(set.stacks->len, ==, 1);
	g_assert_cmpint(set.cost_ns, ==, 5);
	assert_patterns(&set, 5, "5 ma\n");
	itp_stack_set_release(&set);
}

/* A function that calls itself is in a pattern as often as in all stacks together. */
static void test_recursion(void)
{
	struct itp_stack_set set;

	itp_stack_set_init(&set);
	add(&set, "mfff", 5, 0);
	add(&set, "mffg", 4, 0);
	assert_patterns(&set, 9, "9 mff\n");
	assert_patterns(&set, 4, "5 mfff\n4 mffg\n");
	itp_stack_set_release(&set);
}

/* The steps that the search takes for one stack of `depth` functions, of which so many are
 * different and come in turn. All its parts cost the same: there is but one pattern. */
static uint64_t steps_of_one(uint32_t depth, uint32_t function_count)
{
	const struct itp_pattern_options options = { .least_ns = 1 };
	struct itp_mined_patterns patterns;
	struct itp_stack_set set;
	uint32_t node = ITP_CONTEXT_ROOT;
	uint64_t steps;

	itp_stack_set_init(&set);
	for (uint32_t i = 0; i < depth; i++) {
		node = itp_context_tree_child(set.tree, node, i % function_count);
	}
	itp_stack_set_add(&set, node, 10, 1, 0);
	itp_mined_patterns_init(&patterns, &set, function_count, &options);
	g_assert_cmpuint(patterns.list->len, ==, 1);
	g_assert_cmpuint(g_array_index(patterns.list, struct itp_pattern, 0).length, ==, depth);
	steps = patterns.steps;
	itp_mined_patterns_release(&patterns);
	itp_stack_set_release(&set);
	return steps;
}

static void test_a_deep_stack(void)
{
	static const uint32_t function_counts[] = { 1, 2, 3, 20000 };

	for (size_t i = 0; i < G_N_ELEMENTS(function_counts); i++) {
		uint32_t count = function_counts[i];

		g_assert_cmpuint(steps_of_one(20000, count), <, 10 * 20000);
		g_assert_cmpuint(steps_of_one(20000, count), >, 20000);
	}
}

/* As walks of a tree by three functions in turn: six stacks whose beginnings differ, whose ends are
 * the same, and of which two cost enough together. */
static void fill_walks(struct itp_stack_set *set, size_t depth)
{
	static const int64_t costs_ns[] = { 291, 287, 250, 274, 273, 243 };

	for (size_t walk = 0; walk < G_N_ELEMENTS(costs_ns); walk++) {
		g_autoptr(GString) stack = g_string_new("mwa");
		char function = 'a';

		for (size_t left = depth - walk; left > 0; left--) {
			if (function == 'a') {
				function = left % 3 ? 'b' : 'c';
			} else if (function == 'b') {
				function = left % 2 ? 'a' : 'c';
			} else {
				function = left % 5 ? 'b' : 'a';
			}
			g_string_append_c(stack, function);
		}
		g_string_append(stack, "lns");
		add(set, stack->str, 20 + (int64_t)walk, 0);
		g_string_append_c(stack, 'e');
		add(set, stack->str, costs_ns[walk], 0);
	}
}

static void assert_walks(size_t depth, uint64_t most_steps)
{
	const struct itp_pattern_options options = { .least_ns = 366, .max_steps = most_steps };
	struct itp_mined_patterns patterns;
	struct itp_stack_set set;

	itp_stack_set_init(&set);
	fill_walks(&set, depth);
	itp_mined_patterns_init(&patterns, &set, LETTERS, &options);
	g_test_message("depth %zu: %" G_GUINT64_FORMAT " steps", depth, patterns.steps);
	g_assert_false(patterns.is_incomplete);
	g_assert_cmpuint(patterns.list->len, >, 0);
	itp_mined_patterns_release(&patterns);
	itp_stack_set_release(&set);
}

static void test_recursion_of_several(void)
{
	assert_walks(30, 1000000);
	assert_walks(80, 1000000);
	assert_walks(110, 1000000);
	/* Here, the beginnings differ for longest. */
	assert_walks(60, 1000000);
}

/* Only what all of six stacks have costs enough, which are drawn at random of three functions and
 * have very much in common. */
static void test_idle_limit(void)
{
	const struct itp_pattern_options options = { .least_ns = 6, .max_idle_steps = 100000 };
	g_autoptr(GRand) random = g_rand_new_with_seed(1);
	struct itp_mined_patterns patterns;
	struct itp_stack_set set;

	itp_stack_set_init(&set);
	for (int i = 0; i < 6; i++) {
		char stack[61] = "";

		for (int k = 0; k < 60; k++) {
			stack[k] = (char)('a' + g_rand_int_range(random, 0, 3));
		}
		add(&set, stack, 1, 0);
	}
	itp_mined_patterns_init(&patterns, &set, LETTERS, &options);
	g_assert_true(patterns.is_incomplete);
	g_assert_cmpuint(patterns.steps, <, 10000000);
	itp_mined_patterns_release(&patterns);
	itp_stack_set_release(&set);
}

static void test_limits(void)
{
	struct itp_pattern_options options = { .least_ns = 1, .max_candidates = 2 };
	struct itp_mined_patterns patterns;
	struct itp_stack_set set;

	itp_stack_set_init(&set);
	add(&set, "ma", 1, 0);
	add(&set, "mb", 1, 0);
	add(&set, "mc", 1, 0);
	itp_mined_patterns_init(&patterns, &set, LETTERS, &options);
	g_assert_true(patterns.is_incomplete);
	g_assert_cmpuint(patterns.list->len, ==, 2);
	itp_mined_patterns_release(&patterns);
	options = (struct itp_pattern_options){ .least_ns = 1, .max_steps = 1 };
	itp_mined_patterns_init(&patterns, &set, LETTERS, &options);
	g_assert_true(patterns.is_incomplete);
	itp_mined_patterns_release(&patterns);
	itp_stack_set_release(&set);
}

/* ---- Against all subsequences ---- */

struct sample {
	char stacks[MAX_STACKS][MAX_LENGTH + 1];
	int64_t costs[MAX_STACKS];
	int count;
};

static bool is_in(const char *part, const char *whole)
{
	for (; *whole && *part; whole++) {
		part += *part == *whole;
	}
	return !*part;
}

static int64_t cost_of(const struct sample *sample, const char *pattern)
{
	int64_t cost_ns = 0;

	for (int i = 0; i < sample->count; i++) {
		cost_ns += is_in(pattern, sample->stacks[i]) ? sample->costs[i] : 0;
	}
	return cost_ns;
}

/* All costly subsequences, as keys. */
static GHashTable *costly_of(const struct sample *sample, int64_t least_ns)
{
	GHashTable *costly = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, NULL);

	for (int i = 0; i < sample->count; i++) {
		const char *stack = sample->stacks[i];

		for (unsigned int mask = 1; mask < 1u << strlen(stack); mask++) {
			char part[MAX_LENGTH + 1];
			size_t length = 0;

			for (size_t k = 0; stack[k]; k++) {
				if (mask & 1u << k) {
					part[length++] = stack[k];
				}
			}
			part[length] = '\0';
			if (cost_of(sample, part) >= least_ns) {
				g_hash_table_add(costly, g_strdup(part));
			}
		}
	}
	return costly;
}

static bool is_longer(const char *other, const char *pattern)
{
	return strlen(other) > strlen(pattern) && is_in(pattern, other);
}

/* What stacks cost that have the pattern, and none of `longer` that is longer and has it. */
static int64_t own_cost_of(const struct sample *sample, const char *pattern, GHashTable *longer)
{
	int64_t cost_ns = 0;

	for (int i = 0; i < sample->count; i++) {
		bool is_own = is_in(pattern, sample->stacks[i]);
		GHashTableIter iter;
		gpointer other;

		g_hash_table_iter_init(&iter, longer);
		while (g_hash_table_iter_next(&iter, &other, NULL)) {
			is_own &= !is_longer(other, pattern) || !is_in(other, sample->stacks[i]);
		}
		cost_ns += is_own ? sample->costs[i] : 0;
	}
	return cost_ns;
}

static bool is_maximal(GHashTable *costly, const char *pattern)
{
	GHashTableIter iter;
	gpointer other;

	g_hash_table_iter_init(&iter, costly);
	while (g_hash_table_iter_next(&iter, &other, NULL)) {
		if (is_longer(other, pattern)) {
			return false;
		}
	}
	return true;
}

static int compare_lines(const void *a, const void *b)
{
	return strcmp(*(const char *const *)a, *(const char *const *)b);
}

static char *sorted(const char *text)
{
	g_auto(GStrv) lines = g_strsplit(text, "\n", -1);

	qsort(lines, g_strv_length(lines), sizeof(*lines), compare_lines);
	return g_strjoinv("\n", lines);
}

/* Those costly ones that are told. */
static GHashTable *told_of(const struct sample *sample, GHashTable *costly, int64_t least_ns,
			   bool are_maximal)
{
	GHashTable *told = g_hash_table_new(g_str_hash, g_str_equal);
	GHashTableIter iter;
	gpointer pattern;

	g_hash_table_iter_init(&iter, costly);
	while (g_hash_table_iter_next(&iter, &pattern, NULL)) {
		if (are_maximal ? is_maximal(costly, pattern) :
				  own_cost_of(sample, pattern, costly) >= least_ns) {
			g_hash_table_add(told, pattern);
		}
	}
	return told;
}

static char *by_trying(const struct sample *sample, int64_t least_ns, bool are_maximal)
{
	g_autoptr(GHashTable) costly = costly_of(sample, least_ns);
	g_autoptr(GHashTable) told = told_of(sample, costly, least_ns, are_maximal);
	g_autoptr(GString) text = g_string_new(NULL);
	GHashTableIter iter;
	gpointer pattern;

	g_hash_table_iter_init(&iter, told);
	while (g_hash_table_iter_next(&iter, &pattern, NULL)) {
		g_string_append_printf(text, "%d %s\n", (int)own_cost_of(sample, pattern, told),
				       (const char *)pattern);
	}
	return sorted(text->str);
}

/* Few letters make much repetition; costs may be 0, or all equal. */
static void draw(struct sample *sample, struct itp_stack_set *set, GRand *random)
{
	int letters = g_rand_int_range(random, 1, 7);
	int dearest = g_rand_int_range(random, 1, 9);

	sample->count = g_rand_int_range(random, 1, MAX_STACKS + 1);
	for (int i = 0; i < sample->count; i++) {
		int length = g_rand_int_range(random, 0, MAX_LENGTH + 1);

		for (int k = 0; k < length; k++) {
			sample->stacks[i][k] = (char)('a' + g_rand_int_range(random, 0, letters));
		}
		sample->stacks[i][length] = '\0';
		sample->costs[i] = g_rand_int_range(random, 0, dearest + 1);
		add(set, sample->stacks[i], sample->costs[i], 0);
	}
}

static void check_against_all(const struct sample *sample, const struct itp_stack_set *set,
			      int64_t least_ns, bool are_maximal)
{
	g_autofree char *found = patterns_of(set, least_ns, are_maximal);
	g_autofree char *got = sorted(found);
	g_autofree char *wanted = by_trying(sample, least_ns, are_maximal);

	g_assert_cmpstr(got, ==, wanted);
}

static void test_against_all_subsequences(void)
{
	for (guint32 seed = 0; seed < SEEDS && !g_test_failed(); seed++) {
		g_autoptr(GRand) random = g_rand_new_with_seed(seed);
		struct sample sample;
		struct itp_stack_set set;
		int64_t least_ns;

		itp_stack_set_init(&set);
		draw(&sample, &set, random);
		least_ns = g_rand_int_range(random, 1, (gint32)set.cost_ns + 2);
		check_against_all(&sample, &set, least_ns, false);
		check_against_all(&sample, &set, least_ns, true);
		itp_stack_set_release(&set);
		if (g_test_failed()) {
			g_test_message("seed %u", seed);
		}
	}
}

int main(int argc, char **argv)
{
	g_test_init(&argc, &argv, NULL);
	g_test_set_nonfatal_assertions();
	g_test_add_func("/patterns/by hand", test_by_hand);
	g_test_add_func("/patterns/shorter patterns", test_shorter_patterns);
	g_test_add_func("/patterns/places", test_places);
	g_test_add_func("/patterns/equal stacks are joined", test_equal_stacks_are_joined);
	g_test_add_func("/patterns/recursion", test_recursion);
	g_test_add_func("/patterns/a deep stack takes steps as it is deep", test_a_deep_stack);
	g_test_add_func("/patterns/functions that call each other take no more",
			test_recursion_of_several);
	g_test_add_func("/patterns/a search that finds nothing for long stops", test_idle_limit);
	g_test_add_func("/patterns/limits", test_limits);
	g_test_add_func("/patterns/against all subsequences", test_against_all_subsequences);
	return g_test_run();
}
