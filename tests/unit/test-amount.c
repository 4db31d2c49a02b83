/* SPDX-License-Identifier: MIT */
/* The ratio of the work of two workloads, just on both sides of each limit. */
#include "tests/unit/comparison.h"

#define MS INT64_C(1000000)

static const struct itp_ranking_options options = { .folds = true, .spread = 0.03 };

/* `count` more functions that read, 1000 times in the base, and `ratio` times as often in the
 * suspect. */
static void read_by(struct comparison *comparison, guint count, double ratio)
{
	for (guint i = 0; i < count; i++) {
		/* No other function has a number that is as large. */
		g_autofree char *stack =
			g_strdup_printf("main f%u libc.so.6!read syscall:read",
					(guint)itp_context_tree_size(comparison->tree));

		comparison_set(comparison, comparison->base[0], stack, 1000, MS);
		comparison_set(comparison, comparison->suspect[0], stack, (uint64_t)(1000 * ratio),
			       MS);
	}
}

/* Ranks, and begins anew. */
static void assert_amount(struct comparison *comparison, double amount)
{
	struct itp_ranking *ranking = comparison_rank(comparison, &options, true);

	g_assert_cmpfloat_with_epsilon(ranking->amount, amount, 0.01);
	itp_ranking_free(ranking);
	comparison_tear_down(comparison, NULL);
	comparison_set_up(comparison, NULL);
}

/* Six functions read so often in the base, three times as often in the suspect. */
static void assert_amount_of_few(struct comparison *comparison, uint64_t calls, double amount)
{
	for (int i = 0; i < 6; i++) {
		g_autofree char *stack = g_strdup_printf("main f%d libc.so.6!read syscall:read", i);

		comparison_set(comparison, comparison->base[0], stack, calls, MS);
		comparison_set(comparison, comparison->suspect[0], stack, 3 * calls, MS);
	}
	assert_amount(comparison, amount);
}

static void test_a_place_votes_by_twenty_calls(struct comparison *comparison, gconstpointer data)
{
	(void)data;
	assert_amount_of_few(comparison, 20, 3);
	assert_amount_of_few(comparison, 19, 1);
}

static void test_six_places_vote(struct comparison *comparison, gconstpointer data)
{
	(void)data;
	read_by(comparison, 6, 3);
	assert_amount(comparison, 3);
	read_by(comparison, 5, 3);
	assert_amount(comparison, 1);
}

/* Half of six places agree: those of the factors 1 and `off` about 3. */
static void read_off(struct comparison *comparison, double off)
{
	read_by(comparison, 1, 1.6);
	read_by(comparison, 1, 2);
	read_by(comparison, 1, 3 / off);
	read_by(comparison, 1, 3);
	read_by(comparison, 1, 3 * off);
	read_by(comparison, 1, 9);
}

static void test_a_fifth_off_agrees(struct comparison *comparison, gconstpointer data)
{
	(void)data;
	read_off(comparison, 1.17);
	assert_amount(comparison, 3);
	read_off(comparison, 1.23);
	assert_amount(comparison, 1);
}

static void test_half_of_the_places_agree(struct comparison *comparison, gconstpointer data)
{
	(void)data;
	read_off(comparison, 1);
	assert_amount(comparison, 3);
	/* Two of six. */
	read_by(comparison, 1, 1.6);
	read_by(comparison, 1, 2);
	read_by(comparison, 1, 2.3);
	read_by(comparison, 2, 3);
	read_by(comparison, 1, 9);
	assert_amount(comparison, 1);
}

static void test_less_than_half_as_much_again_is_the_same(struct comparison *comparison,
							  gconstpointer data)
{
	(void)data;
	read_by(comparison, 8, 1.52);
	assert_amount(comparison, 1.52);
	read_by(comparison, 8, 1.48);
	assert_amount(comparison, 1);
}

/* Forty kinds of calls are made at the beginning, and sixteen for each request. */
static void test_a_beginning_may_differ_a_little(struct comparison *comparison, gconstpointer data)
{
	(void)data;
	read_by(comparison, 40, 1.04);
	read_by(comparison, 16, 5);
	assert_amount(comparison, 5);
	read_by(comparison, 40, 1.06);
	read_by(comparison, 16, 5);
	assert_amount(comparison, 1);
}

static void test_twelve_others_agree(struct comparison *comparison, gconstpointer data)
{
	(void)data;
	read_by(comparison, 40, 1);
	read_by(comparison, 12, 5);
	assert_amount(comparison, 5);
	read_by(comparison, 40, 1);
	read_by(comparison, 11, 5);
	assert_amount(comparison, 1);
}

static void test_two_thirds_of_the_others_agree(struct comparison *comparison, gconstpointer data)
{
	(void)data;
	read_by(comparison, 40, 1);
	read_by(comparison, 14, 5);
	read_by(comparison, 6, 20);
	assert_amount(comparison, 5);
	read_by(comparison, 40, 1);
	read_by(comparison, 12, 5);
	read_by(comparison, 8, 20);
	assert_amount(comparison, 1);
}

static void add(const char *name, void (*test)(struct comparison *, gconstpointer))
{
	g_autofree char *path = g_strconcat("/amount/", name, NULL);

	g_test_add(path, struct comparison, NULL, comparison_set_up, test, comparison_tear_down);
}

int main(int argc, char **argv)
{
	g_test_init(&argc, &argv, NULL);
	g_test_set_nonfatal_assertions();
	add("a place votes by twenty calls", test_a_place_votes_by_twenty_calls);
	add("six places vote", test_six_places_vote);
	add("a fifth off agrees", test_a_fifth_off_agrees);
	add("half of the places agree", test_half_of_the_places_agree);
	add("less than half as much again is the same",
	    test_less_than_half_as_much_again_is_the_same);
	add("a beginning may differ a little", test_a_beginning_may_differ_a_little);
	add("twelve others agree", test_twelve_others_agree);
	add("two thirds of the others agree", test_two_thirds_of_the_others_agree);
	return g_test_run();
}
