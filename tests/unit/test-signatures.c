/* SPDX-License-Identifier: MIT */
/*
 * Which stacks signatures explain: by hand, and on seeded random ones against the same told in
 * another way. Functions are letters: those from x on are of the system.
 */
#include <string.h>

#include "common/mine/signatures.h"

#define SEEDS 400
#define LETTERS "abcdxy"

static uint32_t intern(struct itp_mining *mining, char letter)
{
	const char name[] = { letter, '\0' };
	const struct itp_function function = { .name = name,
					       .module = "m",
					       .build_id = "",
					       .layer = ITP_LAYER_USER,
					       .is_system = letter >= 'x' };

	return itp_function_table_intern(mining->functions, &function);
}

static void add(struct itp_mining *mining, enum itp_mine_kind kind, const char *stack,
		int64_t cost_ns)
{
	struct itp_stack_set *set = &mining->sets[kind];
	uint32_t node = ITP_CONTEXT_ROOT;

	for (; *stack; stack++) {
		node = itp_context_tree_child(set->tree, node, intern(mining, *stack));
	}
	itp_stack_set_add(set, node, cost_ns, 1, 0);
}

static void add_trace(struct itp_mining *mining)
{
	const struct itp_mined_trace trace = { .path = g_strdup("trace"),
					       .symptoms = 1,
					       .cost_ns = mining->sets[0].cost_ns +
							  mining->sets[1].cost_ns };

	g_array_append_val(mining->traces, trace);
	itp_mining_close(mining);
}

static GArray *read_text(const char *text)
{
	GError *error = NULL;
	GArray *signatures = itp_signatures_read(text, strlen(text), "test", &error);

	g_assert_no_error(error);
	return signatures;
}

/* What the first signature explains. */
static int64_t explained(struct itp_mining *mining, const char *list, int64_t least_ns)
{
	g_autofree char *text = g_strdup_printf("{\"signatures\": 1, \"list\": [%s]}", list);
	g_autoptr(GArray) signatures = read_text(text);
	g_autoptr(GArray) matches = itp_signatures_match(signatures, mining, least_ns);

	return g_array_index(matches, struct itp_signature_match, 0).cost_ns;
}

/* What a signature of "ac", saved from "ac" and "abc" (b took 20), explains in another run, in
 * which its stacks are given. */
static int64_t explained_in(const char *stack, int64_t least_ns)
{
	struct itp_mining mining;
	int64_t cost_ns;

	itp_mining_init(&mining);
	add(&mining, ITP_MINE_RUNNING, "ac", 10);
	add(&mining, ITP_MINE_RUNNING, stack, 30);
	add_trace(&mining);
	cost_ns = explained(&mining,
			    "{\"name\": \"s\", \"kind\": \"running\", "
			    "\"patterns\": [[\"m!a\", \"m!c\"]], "
			    "\"seen\": [\"m!a\", \"m!b\", \"m!c\"]}",
			    least_ns);
	g_assert_cmpint(mining.sets[ITP_MINE_RUNNING].cost_ns, ==, 40 - cost_ns);
	itp_mining_release(&mining);
	return cost_ns;
}

static void test_seen(void)
{
	/* b was seen, and the pattern has no d. */
	g_assert_cmpint(explained_in("abc", 5), ==, 40);
	g_assert_cmpint(explained_in("abd", 5), ==, 10);
	/* d is new: between, and below. */
	g_assert_cmpint(explained_in("adc", 5), ==, 10);
	g_assert_cmpint(explained_in("abcd", 5), ==, 10);
	/* What costs less than a pattern must is not. */
	g_assert_cmpint(explained_in("adc", 30), ==, 10);
	g_assert_cmpint(explained_in("adc", 31), ==, 40);
	/* Nor is what the system does, or who calls. */
	g_assert_cmpint(explained_in("axcy", 5), ==, 40);
	g_assert_cmpint(explained_in("dac", 5), ==, 40);
}

static void test_without_seen(void)
{
	struct itp_mining mining;

	itp_mining_init(&mining);
	add(&mining, ITP_MINE_WAITING, "adc", 30);
	add(&mining, ITP_MINE_RUNNING, "adc", 10);
	add_trace(&mining);
	g_assert_cmpint(explained(&mining,
				  "{\"name\": \"s\", \"kind\": \"waiting\", "
				  "\"patterns\": [[\"m!a\", \"m!c\"]]}",
				  1),
			==, 30);
	itp_mining_release(&mining);
}

/* ---- Random ---- */

static char *random_stack(GRand *random, int most)
{
	GString *stack = g_string_new(NULL);
	int length = g_rand_int_range(random, 1, most + 1);

	for (int i = 0; i < length; i++) {
		g_string_append_c(stack, LETTERS[g_rand_int_range(random, 0, 6)]);
	}
	return g_string_free(stack, FALSE);
}

static bool has_pattern(const char *stack, const char *pattern)
{
	for (; *stack && *pattern; stack++) {
		pattern += *stack == *pattern;
	}
	return *pattern == '\0';
}

struct known {
	char *pattern;
	char *seen;
};

/* Whether one of the signatures, each with one pattern, has a longer one of the stack. */
static bool is_hidden(const char *stack, const struct known *known, int count, const char *pattern)
{
	for (int i = 0; i < count; i++) {
		if (strlen(known[i].pattern) > strlen(pattern) &&
		    has_pattern(known[i].pattern, pattern) &&
		    has_pattern(stack, known[i].pattern)) {
			return true;
		}
	}
	return false;
}

/* The letters that are new, by the rules of signatures.h. */
static bool has_new(const char *stack, const struct known *known, char letter)
{
	const char *at = stack;

	if (letter >= 'x' || strchr(known->seen, letter)) {
		return false;
	}
	for (const char *pattern = known->pattern; *pattern; pattern++) {
		at = strchr(at, *pattern) + 1;
		if (*pattern < 'x') {
			return strchr(at, letter) != NULL;
		}
	}
	return false;
}

/* What the signatures explain of the stacks, each of another one; those become 0. */
static int64_t explain(char *const *stacks, int64_t *costs, int stack_count,
		       const struct known *known, int count, int which, int64_t least_ns)
{
	g_autofree bool *claims = g_new0(bool, stack_count);
	int64_t news[256] = { 0 };
	int64_t sum = 0;

	for (int i = 0; i < stack_count; i++) {
		claims[i] = has_pattern(stacks[i], known[which].pattern) &&
			    !is_hidden(stacks[i], known, count, known[which].pattern);
		for (const char *letter = LETTERS; claims[i] && *letter; letter++) {
			news[(int)*letter] +=
				has_new(stacks[i], &known[which], *letter) ? costs[i] : 0;
		}
	}
	for (int i = 0; i < stack_count; i++) {
		for (const char *letter = LETTERS; claims[i] && *letter; letter++) {
			claims[i] = !has_new(stacks[i], &known[which], *letter) ||
				    news[(int)*letter] < least_ns;
		}
		sum += claims[i] ? costs[i] : 0;
		costs[i] = claims[i] ? 0 : costs[i];
	}
	return sum;
}

static void append_list(GString *text, const char *letters)
{
	for (const char *letter = letters; *letter; letter++) {
		g_string_append_printf(text, "%s\"m!%c\"", letter == letters ? "" : ", ", *letter);
	}
}

static GArray *signatures_of(const struct known *known, int count)
{
	g_autoptr(GString) text = g_string_new("{\"signatures\": 1, \"list\": [");

	for (int i = 0; i < count; i++) {
		g_string_append_printf(text, "%s{\"name\": \"%d\", \"kind\": \"running\", ",
				       i > 0 ? ", " : "", i);
		g_string_append(text, "\"patterns\": [[");
		append_list(text, known[i].pattern);
		g_string_append(text, "]], \"seen\": [");
		append_list(text, known[i].seen);
		g_string_append(text, "]}");
	}
	g_string_append(text, "]}");
	return read_text(text->str);
}

#define MAX_STACKS 12
#define MAX_KNOWN 4

static void compare_random(GRand *random)
{
	char *stacks[MAX_STACKS];
	int64_t costs[MAX_STACKS];
	struct known known[MAX_KNOWN];
	int stack_count = g_rand_int_range(random, 1, MAX_STACKS + 1);
	int count = g_rand_int_range(random, 1, MAX_KNOWN + 1);
	int64_t least_ns = g_rand_int_range(random, 1, 20);
	g_autoptr(GArray) signatures = NULL;
	g_autoptr(GArray) matches = NULL;
	struct itp_mining mining;

	itp_mining_init(&mining);
	for (const char *letter = LETTERS; *letter; letter++) {
		intern(&mining, *letter);
	}
	for (int i = 0; i < stack_count; i++) {
		stacks[i] = random_stack(random, 8);
		costs[i] = g_rand_int_range(random, 1, 9);
		add(&mining, ITP_MINE_RUNNING, stacks[i], costs[i]);
	}
	for (int i = 0; i < count; i++) {
		known[i] = (struct known){ random_stack(random, 3), random_stack(random, 4) };
	}
	add_trace(&mining);
	signatures = signatures_of(known, count);
	matches = itp_signatures_match(signatures, &mining, least_ns);
	for (int i = 0; i < count; i++) {
		g_assert_cmpint(g_array_index(matches, struct itp_signature_match, i).cost_ns, ==,
				explain(stacks, costs, stack_count, known, count, i, least_ns));
	}
	itp_mining_release(&mining);
	for (int i = 0; i < stack_count; i++) {
		g_free(stacks[i]);
	}
	for (int i = 0; i < count; i++) {
		g_free(known[i].pattern);
		g_free(known[i].seen);
	}
}

static void test_random(void)
{
	for (guint32 seed = 0; seed < SEEDS && !g_test_failed(); seed++) {
		g_autoptr(GRand) random = g_rand_new_with_seed(seed);

		compare_random(random);
	}
}

/* ---- What is saved explains what it was saved of ---- */

static void fill(struct itp_mining *mining, guint32 seed)
{
	g_autoptr(GRand) random = g_rand_new_with_seed(seed);
	int count = g_rand_int_range(random, 1, MAX_STACKS);

	itp_mining_init(mining);
	for (int i = 0; i < count; i++) {
		g_autofree char *stack = random_stack(random, 8);

		add(mining, (enum itp_mine_kind)(i % 2), stack, g_rand_int_range(random, 1, 9));
	}
	add_trace(mining);
}

/* Saved, as a text; `ret_covered_ns` is what the stacks cost that count for one of the clusters. */
static char *save(struct itp_mining *mining, const struct itp_mining_options *options,
		  int64_t *ret_covered_ns)
{
	struct itp_stack_statistics *statistics = itp_mining_statistics(mining);
	struct itp_mined mined[ITP_MINE_KINDS];
	char *text;

	*ret_covered_ns = 0;
	for (int kind = 0; kind < ITP_MINE_KINDS; kind++) {
		const GArray *coverage;

		itp_mined_init(&mined[kind], mining, (enum itp_mine_kind)kind, statistics, options);
		coverage = mined[kind].coverage;
		*ret_covered_ns +=
			coverage->len > 0 ? g_array_index(coverage, int64_t, coverage->len - 1) : 0;
	}
	text = itp_signatures_text(mining, mined, 0, NULL);
	for (int kind = 0; kind < ITP_MINE_KINDS; kind++) {
		itp_mined_release(&mined[kind]);
	}
	itp_stack_statistics_free(statistics);
	return text;
}

static void test_saved(void)
{
	for (guint32 seed = 0; seed < SEEDS; seed++) {
		struct itp_mining_options options = {
			.patterns.least_ns = 1 + seed % 7,
			.clusters = { .linkage = ITP_LINKAGE_AVERAGE, .cut = 0.4 },
		};
		struct itp_mining mining;
		struct itp_mining again;
		int64_t covered_ns;
		int64_t explained_ns = 0;
		g_autofree char *text = NULL;
		g_autoptr(GArray) signatures = NULL;
		g_autoptr(GArray) matches = NULL;

		fill(&mining, seed);
		fill(&again, seed);
		text = save(&mining, &options, &covered_ns);
		signatures = read_text(text);
		matches = itp_signatures_match(signatures, &again, options.patterns.least_ns);
		for (guint i = 0; i < matches->len; i++) {
			explained_ns +=
				g_array_index(matches, struct itp_signature_match, i).cost_ns;
		}
		/* A signature has no [itself], and may explain more. */
		g_assert_cmpint(explained_ns, >=, covered_ns);
		itp_mining_release(&mining);
		itp_mining_release(&again);
		if (g_test_failed()) {
			g_test_message("seed %u", seed);
			return;
		}
	}
}

/* Of 100 000, b has 120 and d 80. */
static void test_seen_are_of_a_thousandth(void)
{
	const struct itp_mining_options options = {
		.patterns.least_ns = 50000,
		.clusters = { .linkage = ITP_LINKAGE_AVERAGE, .cut = 0.4 },
	};
	struct itp_mining mining;
	int64_t covered_ns;
	g_autofree char *text = NULL;

	itp_mining_init(&mining);
	add(&mining, ITP_MINE_RUNNING, "ac", 99800);
	add(&mining, ITP_MINE_RUNNING, "abc", 120);
	add(&mining, ITP_MINE_RUNNING, "adc", 80);
	add_trace(&mining);
	text = save(&mining, &options, &covered_ns);
	g_assert_cmpint(covered_ns, ==, 100000);
	g_assert_nonnull(strstr(text, "\"m!b\""));
	g_assert_null(strstr(text, "\"m!d\""));
	itp_mining_release(&mining);
}

int main(int argc, char **argv)
{
	g_test_init(&argc, &argv, NULL);
	g_test_add_func("/signatures/what was not seen is new", test_seen);
	g_test_add_func("/signatures/without a list all is explained", test_without_seen);
	g_test_add_func("/signatures/random", test_random);
	g_test_add_func("/signatures/saved ones explain what they were saved of", test_saved);
	g_test_add_func("/signatures/saved ones have seen what took a thousandth",
			test_seen_are_of_a_thousandth);
	return g_test_run();
}
