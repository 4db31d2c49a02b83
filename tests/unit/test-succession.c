/* SPDX-License-Identifier: MIT */
/* Units that succeed others, and units that come in turns. */
#include <glib.h>

#include "common/unit/succession.h"

/* `count` units from number `first` on, with `step` between two. */
static struct itp_moments moments_of(int first, int count, int step)
{
	struct itp_moments moments = { 0 };

	for (int i = 0; i < count; i++) {
		itp_moments_add_unit(&moments, first + i * step);
	}
	return moments;
}

static bool succeed(struct itp_moments one, struct itp_moments other)
{
	g_assert_true(itp_moments_succeed(&one, &other) == itp_moments_succeed(&other, &one));
	return itp_moments_succeed(&one, &other);
}

/* Where two stretches overlap, that is 15 of 185, and 25 of 175. */
static void test_succession(void)
{
	g_assert_true(succeed(moments_of(0, 100, 1), moments_of(100, 100, 1)));
	g_assert_true(succeed(moments_of(0, 10, 1), moments_of(10, 1000, 1)));
	g_assert_true(succeed(moments_of(0, 1, 1), moments_of(1, 100, 1)));
	g_assert_true(succeed(moments_of(0, 100, 1), moments_of(85, 100, 1)));
	g_assert_false(succeed(moments_of(0, 100, 1), moments_of(75, 100, 1)));
	g_assert_false(succeed(moments_of(0, 100, 2), moments_of(1, 100, 2)));
	g_assert_false(succeed(moments_of(50, 1, 1), moments_of(0, 100, 1)));
}

int main(int argc, char **argv)
{
	g_test_init(&argc, &argv, NULL);
	g_test_set_nonfatal_assertions();
	g_test_add_func("/succession/units succeed others with little overlap", test_succession);
	return g_test_run();
}
