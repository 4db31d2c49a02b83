/* SPDX-License-Identifier: MIT */
/* Unevenness of ticks within a run, of blocks few enough to work out by hand. */
#include "common/infer/tick-blocks.h"

#include <glib.h>

/* p A f, p A g, p B h and p B i. */
struct run {
	struct itp_context_tree *tree;
	struct itp_tick_blocks *blocks;
	uint32_t f;
	uint32_t g;
	uint32_t h;
	uint32_t i;
};

static void set_up(struct run *run, gconstpointer data)
{
	uint32_t process;
	uint32_t a;
	uint32_t b;

	(void)data;
	run->tree = itp_context_tree_new();
	process = itp_context_tree_child(run->tree, ITP_CONTEXT_ROOT, 1);
	a = itp_context_tree_child(run->tree, process, 2);
	b = itp_context_tree_child(run->tree, process, 3);
	run->f = itp_context_tree_child(run->tree, a, 4);
	run->g = itp_context_tree_child(run->tree, a, 5);
	run->h = itp_context_tree_child(run->tree, b, 6);
	run->i = itp_context_tree_child(run->tree, b, 7);
	run->blocks = itp_tick_blocks_new(run->tree);
}

static void tear_down(struct run *run, gconstpointer data)
{
	(void)data;
	itp_tick_blocks_free(run->blocks);
	itp_context_tree_free(run->tree);
}

/* So many ticks of one, then of the other. */
static void tick(struct run *run, uint32_t one, unsigned int count, uint32_t other,
		 unsigned int other_count)
{
	for (unsigned int k = 0; k < count; k++) {
		itp_tick_blocks_add(run->blocks, one);
	}
	for (unsigned int k = 0; k < other_count; k++) {
		itp_tick_blocks_add(run->blocks, other);
	}
}

static uint64_t take(struct run *run, uint32_t node)
{
	g_autofree uint64_t *uneven = itp_tick_blocks_take(run->blocks);

	return uneven[node];
}

/* 256 ticks in 16 blocks of 16, of which f() has 12 in one and 4 in the next: Σ 4² in 16 blocks,
 * times 16 / 15, is 273. Chance makes 256 / 4 = 64 of it, and with two standard errors, √(2 / 15)
 * of that each, 110.7. What is left are four times 162.3, as g() has fewer each time that f() has
 * more. */
static void test_what_comes_and_goes_is_uneven(struct run *run, gconstpointer data)
{
	(void)data;
	for (int pair = 0; pair < 8; pair++) {
		tick(run, run->f, 12, run->g, 4);
		tick(run, run->f, 4, run->g, 12);
	}
	g_assert_cmpuint(take(run, run->f), ==, 649);
	/* It was told, and begins anew. */
	g_assert_cmpuint(take(run, run->f), ==, 0);
}

/* 10 and 6 of 16 are Σ 2² in 16 blocks, 68 of what 110.7 are no proof of; 11 and 5 are 153.6. */
static void test_what_chance_may_be_is_not_uneven(struct run *run, gconstpointer data)
{
	(void)data;
	for (int pair = 0; pair < 8; pair++) {
		tick(run, run->f, 10, run->g, 6);
		tick(run, run->f, 6, run->g, 10);
	}
	g_assert_cmpuint(take(run, run->f), ==, 0);
	for (int pair = 0; pair < 8; pair++) {
		tick(run, run->f, 11, run->g, 5);
		tick(run, run->f, 5, run->g, 11);
	}
	g_assert_cmpuint(take(run, run->f), ==, 171);
}

/* The same in blocks that are twice as long, of which each has as many of both. */
static void test_blocks_grow_with_the_run(struct run *run, gconstpointer data)
{
	(void)data;
	for (int pair = 0; pair < 16; pair++) {
		tick(run, run->f, 12, run->g, 4);
		tick(run, run->f, 4, run->g, 12);
	}
	g_assert_cmpuint(take(run, run->f), ==, 0);
}

/* A() calls f() and g() in turns, and when it has returned, B() calls h() and i(). */
static void test_a_phase_is_not_uneven(struct run *run, gconstpointer data)
{
	(void)data;
	for (int pair = 0; pair < 128; pair++) {
		tick(run, run->f, 1, run->g, 2);
	}
	for (int pair = 0; pair < 128; pair++) {
		tick(run, run->h, 1, run->i, 2);
	}
	g_assert_cmpuint(take(run, run->f), ==, 0);
}

/* Unevenness of f(): A() runs in so many blocks of 32 ticks, in which f() has 28 and 4 in turns,
 * and B() in the rest of sixteen. */
static uint64_t take_from_blocks(struct run *run, int count)
{
	for (int block = 0; block < count; block++) {
		tick(run, run->f, block % 2 == 0 ? 28 : 4, run->g, block % 2 == 0 ? 4 : 28);
	}
	tick(run, run->h, 16 * 32 - (unsigned int)count * 32, run->i, 0);
	return take(run, run->f);
}

static void test_few_blocks_are_not_uneven(struct run *run, gconstpointer data)
{
	(void)data;
	g_assert_cmpuint(take_from_blocks(run, 4), ==, 0);
	g_assert_cmpuint(take_from_blocks(run, 5), >, 0);
}

/* f() calls itself, and is told in two parts of as many ticks. */
static void test_a_function_that_calls_itself_is_one(struct run *run, gconstpointer data)
{
	uint32_t inner = itp_context_tree_child(run->tree, run->f, 4);
	g_autofree uint64_t *uneven = NULL;

	(void)data;
	for (int pair = 0; pair < 8; pair++) {
		tick(run, run->f, 6, inner, 6);
		tick(run, run->g, 4, run->f, 2);
		tick(run, inner, 2, run->g, 12);
	}
	uneven = itp_tick_blocks_take(run->blocks);
	g_assert_cmpuint(uneven[run->f], ==, 325);
	g_assert_cmpuint(uneven[inner], ==, 325);
}

/* 48 ticks of f(), however they come. */
static void test_few_ticks_are_not_uneven(struct run *run, gconstpointer data)
{
	(void)data;
	for (int block = 0; block < 4; block++) {
		tick(run, run->f, 12, run->g, 4);
		tick(run, run->f, 0, run->g, 48);
	}
	g_assert_cmpuint(take(run, run->f), ==, 0);
	for (int block = 0; block < 4; block++) {
		tick(run, run->f, 13, run->g, 3);
		tick(run, run->f, 0, run->g, 48);
	}
	g_assert_cmpuint(take(run, run->f), >, 0);
}

static void add(const char *name, void (*test)(struct run *, gconstpointer))
{
	g_autofree char *path = g_strconcat("/tick-blocks/", name, NULL);

	g_test_add(path, struct run, NULL, set_up, test, tear_down);
}

int main(int argc, char **argv)
{
	g_test_init(&argc, &argv, NULL);
	g_test_set_nonfatal_assertions();
	add("what comes and goes is uneven", test_what_comes_and_goes_is_uneven);
	add("what chance may be is not uneven", test_what_chance_may_be_is_not_uneven);
	add("blocks grow with the run", test_blocks_grow_with_the_run);
	add("a phase is not uneven", test_a_phase_is_not_uneven);
	add("a function that calls itself is one", test_a_function_that_calls_itself_is_one);
	add("few blocks are not uneven", test_few_blocks_are_not_uneven);
	add("few ticks are not uneven", test_few_ticks_are_not_uneven);
	return g_test_run();
}
