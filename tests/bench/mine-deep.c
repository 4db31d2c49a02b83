/* SPDX-License-Identifier: MIT */
/*
 * What mining deep stacks takes, by depth: how long, and how many steps of the search's own count.
 *
 *   mine-deep walk|turns|one DEPTH...
 *
 * walk: a tree is walked by three functions that call each other in turn, from six depths on, ten
 * times; each walk ends in one of some leaves, which wait and compute. turns: one stack of two
 * functions that call each other in turn. one: one stack of as many different functions.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/mine/patterns.h"

#define SHARE 0.01
#define WALKS 6
#define LEAVES 12

/* Ids of functions. */
enum {
	MAIN = 1,
	WALK,
	A,
	B,
	C,
	LEAF,
	FIRST_OTHER
};

/* Whom a function calls that is `left` calls above a leaf. */
static uint32_t callee_of(uint32_t function, int left)
{
	switch (function) {
	case A:
		return left % 3 ? B : C;
	case B:
		return left % 2 ? A : C;
	default:
		return left % 5 ? B : A;
	}
}

/* The leaves cost 1, 2, 3 and so on; the first of them takes most of the time. */
static void add_walks(struct itp_stack_set *set, int depth)
{
	for (int walk = 0; walk < WALKS; walk++) {
		uint32_t node = itp_context_tree_child(
			set->tree, itp_context_tree_child(set->tree, ITP_CONTEXT_ROOT, MAIN), WALK);
		uint32_t function = A;

		for (int left = MAX(depth - walk, 0); left >= 0; left--) {
			node = itp_context_tree_child(set->tree, node, function);
			function = callee_of(function, left);
		}
		node = itp_context_tree_child(set->tree, node, LEAF);
		for (uint32_t leaf = 0; leaf < LEAVES; leaf++) {
			itp_stack_set_add(
				set, itp_context_tree_child(set->tree, node, FIRST_OTHER + leaf),
				leaf == 0 ? 1000 : leaf, 10, 0);
		}
	}
}

static void add_one(struct itp_stack_set *set, int depth, int function_count)
{
	uint32_t node = ITP_CONTEXT_ROOT;

	for (int i = 0; i < depth; i++) {
		node = itp_context_tree_child(set->tree, node,
					      FIRST_OTHER + (uint32_t)(i % function_count));
	}
	itp_stack_set_add(set, node, 1000, 1, 0);
}

static int measure(const char *what, int depth)
{
	const uint32_t function_count = FIRST_OTHER + (uint32_t)MAX(depth, LEAVES);
	struct itp_pattern_options options = { .least_ns = 0 };
	struct itp_mined_patterns patterns;
	struct itp_stack_set set;
	gint64 began_us;

	itp_stack_set_init(&set);
	if (strcmp(what, "walk") == 0) {
		add_walks(&set, depth);
	} else {
		add_one(&set, depth, strcmp(what, "turns") == 0 ? 2 : depth);
	}
	options.least_ns = MAX((int64_t)(SHARE * (double)set.cost_ns), 1);
	began_us = g_get_monotonic_time();
	itp_mined_patterns_init(&patterns, &set, function_count, &options);
	printf("depth %d: %u patterns, %" G_GUINT64_FORMAT " steps, %.3f s\n", depth,
	       patterns.list->len, patterns.steps,
	       (double)(g_get_monotonic_time() - began_us) / 1e6);
	itp_mined_patterns_release(&patterns);
	itp_stack_set_release(&set);
	return 0;
}

int main(int argc, char **argv)
{
	if (argc < 3 || (strcmp(argv[1], "walk") != 0 && strcmp(argv[1], "turns") != 0 &&
			 strcmp(argv[1], "one") != 0)) {
		fprintf(stderr, "usage: mine-deep walk|turns|one DEPTH...\n");
		return 2;
	}
	for (int i = 2; i < argc; i++) {
		if (atoi(argv[i]) < 1) {
			fprintf(stderr, "mine-deep: %s is no depth\n", argv[i]);
			return 2;
		}
		measure(argv[1], atoi(argv[i]));
	}
	return 0;
}
