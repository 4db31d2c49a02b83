/* SPDX-License-Identifier: MIT */
/* Units where system calls are not watched all the time. */
#include "common/unit/rests.h"
#include "tests/unit/unit-program.h"

#define CLIENT 7

static void test_times_that_meet_a_rest(struct program *program)
{
	struct itp_rests *rests = itp_rests_new();

	(void)program;
	itp_rests_watch(rests, true, 0);
	g_assert_false(itp_rests_meet(rests, 0, 5));
	itp_rests_watch(rests, false, 10);
	g_assert_true(itp_rests_meet(rests, 5, 11));
	itp_rests_watch(rests, false, 15);
	itp_rests_watch(rests, true, 20);
	itp_rests_watch(rests, false, 30);
	itp_rests_watch(rests, true, 40);
	g_assert_false(itp_rests_meet(rests, 0, 10));
	g_assert_true(itp_rests_meet(rests, 0, 11));
	g_assert_true(itp_rests_meet(rests, 12, 18));
	g_assert_true(itp_rests_meet(rests, 19, 25));
	g_assert_false(itp_rests_meet(rests, 20, 30));
	g_assert_true(itp_rests_meet(rests, 25, 50));
	g_assert_false(itp_rests_meet(rests, 40, 50));
	itp_rests_free(rests);
}

/* Requests of 30 ns, one in 100 ns. */
static void serve(struct program *program, int64_t begin_ns, int64_t end_ns)
{
	for (int64_t at = begin_ns; at < end_ns; at += 100) {
		make(program, "p serve fill", "read", at - 50, at, 50, CLIENT, 4);
		make(program, "p serve answer", "write", at + 29, at + 30, 0, CLIENT, 4);
	}
}

/* From 215 to 280 nobody watches: the second request may have had another answer. */
static void test_units_beside_a_rest(struct program *program)
{
	itp_unit_finder_watch(program->finder, true, 0);
	serve(program, 100, 200);
	make(program, "p serve fill", "read", 150, 200, 50, CLIENT, 4);
	itp_unit_finder_watch(program->finder, false, 215);
	itp_unit_finder_watch(program->finder, true, 280);
	make(program, "p serve answer", "write", 289, 290, 0, CLIENT, 4);
	serve(program, 400, 600);
	make(program, "p serve fill", "read", 550, 600, 50, CLIENT, 4);
	assert_units(program, "serve read 100 130\n"
			      "serve read 400 430\n"
			      "serve read 500 530\n");
}

/* Of ten seconds, 0.9 s in rests are few, and 1.1 s are too many. */
static void test_too_many_rests(struct program *program)
{
	(void)program;
	g_assert_true(itp_unit_outlives_rests(0));
	g_assert_true(itp_unit_outlives_rests(0.09));
	g_assert_false(itp_unit_outlives_rests(0.11));
}

int main(int argc, char **argv)
{
	static const struct test_on_program tests[] = {
		{ "/rests/times that meet a rest", test_times_that_meet_a_rest },
		{ "/rests/units beside a rest", test_units_beside_a_rest },
		{ "/rests/too many rests", test_too_many_rests },
	};

	g_test_init(&argc, &argv, NULL);
	program_add_tests(tests, G_N_ELEMENTS(tests));
	return g_test_run();
}
