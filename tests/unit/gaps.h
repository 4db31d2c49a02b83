/* SPDX-License-Identifier: MIT */
/*
 * Gaps with ticks in them on a small tree, and what is told of them, for the tests of
 * common/infer/strata.h and of what it is made of.
 */
#ifndef ITP_TESTS_UNIT_GAPS_H
#define ITP_TESTS_UNIT_GAPS_H

#include "common/infer/strata.h"

struct gaps {
	struct itp_function_table *functions;
	struct itp_context_tree *tree;
	struct itp_strata *strata;
	struct itp_gap_log log;
	/* p, p A, p A B, p A C and p A syscall:read. */
	uint32_t process;
	uint32_t a;
	uint32_t b;
	uint32_t c;
	uint32_t call;
	/* The same functions elsewhere: p E A and p E A B. */
	uint32_t other_a;
	uint32_t other_b;
	/* struct itp_share: what was told last. */
	GArray *told;
};

/* Begins a gap with a system call's exit at `before`, to which its CPU time is given. */
void gaps_begin(struct gaps *gaps, uint32_t before, int64_t given_ns);
/* Ticks find `node` innermost. */
void gaps_tick(struct gaps *gaps, uint32_t node, int count);
/* Ends the gap with the next system call's enter at `after`. */
void gaps_end(struct gaps *gaps, uint32_t after);

/* Has the gaps told that ended since the last time. */
void gaps_tell(struct gaps *gaps);

/* What was told last of a node; all zero when nothing was. */
struct itp_share gaps_told_of(const struct gaps *gaps, uint32_t node);

/* A test, named by a sentence, without gaps at first. */
struct test_on_gaps {
	const char *sentence;
	void (*check)(struct gaps *gaps, gconstpointer data);
};

/* Adds tests to those of `module`. */
void gaps_add_tests(const char *module, const struct test_on_gaps *tests, size_t count);

#endif
