/* SPDX-License-Identifier: MIT */
/* Statistics behind verdicts, by examples computed by hand. */
#include "common/rank/chance.h"

#include <glib.h>

#include "common/base/student.h"

static void assert_near(double value, double expected, double most)
{
	g_assert_cmpfloat_with_epsilon(value, expected, most);
}

static void test_a_known_error_is_normal(void)
{
	assert_near(itp_chance_z(30, 100, 0, 1), 3, 1e-9);
	assert_near(itp_chance_z(-30, 100, 0, 1), -3, 1e-9);
	assert_near(itp_chance_p(1.959964), 0.05, 1e-6);
	assert_near(itp_chance_p(-3.290527), 0.001, 1e-7);
	g_assert_cmpfloat(itp_chance_z(0, 0, 0, 1), ==, 0);
	/* A difference that no error explains is no infinity. */
	g_assert_cmpfloat(itp_chance_z(1, 0, 0, 1), ==, 1000);
}

/* The quantiles of Student's t for p = 0.05 and p = 0.001 with 4 and 8 degrees of freedom. */
static void test_an_estimated_error_makes_less_sure(void)
{
	assert_near(itp_chance_z(2.776, 0, 1, 4), 1.960, 0.01);
	assert_near(itp_chance_z(8.610, 0, 1, 4), 3.291, 0.05);
	assert_near(itp_chance_z(2.306, 0, 1, 8), 1.960, 0.01);
	assert_near(itp_chance_z(5.041, 0, 1, 8), 3.291, 0.02);
}

/* Quantiles of Student's t, from those of the normal distribution. */
static void test_few_values_need_more_deviations(void)
{
	assert_near(itp_student_t(1.960, 4), 2.776, 0.02);
	assert_near(itp_student_t(1.960, 8), 2.306, 0.01);
	assert_near(itp_student_t(3.291, 8), 5.041, 0.05);
	assert_near(itp_student_t(3.291, 1e6), 3.291, 1e-3);
}

/* Welch: 8 · (25 / 16)² = 19.53 degrees of freedom, t = 10 / 5. */
static void test_both_errors_add_up(void)
{
	assert_near(itp_chance_z(10, 9, 16, 8), 1.88362, 1e-4);
}

/* The example of Benjamini and Hochberg, section 3.2. */
static void test_four_of_fifteen_are_discoveries(void)
{
	double p[] = { 0.0459, 0.0001, 0.4262, 0.0019, 0.0095, 0.0201, 0.0278, 0.0298,
		       0.0344, 0.0004, 0.3240, 0.5719, 0.6528, 0.7590, 1.0000 };

	assert_near(itp_chance_discovery_limit(p, G_N_ELEMENTS(p), 0.05), 0.05 * 4 / 15, 1e-9);
	g_assert_cmpfloat(itp_chance_discovery_limit(p, G_N_ELEMENTS(p), 0.00001), <, 0);
	g_assert_cmpfloat(itp_chance_discovery_limit(p, 0, 0.05), <, 0);
}

int main(int argc, char **argv)
{
	g_test_init(&argc, &argv, NULL);
	g_test_set_nonfatal_assertions();
	g_test_add_func("/chance/a known error is normal", test_a_known_error_is_normal);
	g_test_add_func("/chance/an estimated error makes less sure",
			test_an_estimated_error_makes_less_sure);
	g_test_add_func("/chance/few values need more deviations",
			test_few_values_need_more_deviations);
	g_test_add_func("/chance/both errors add up", test_both_errors_add_up);
	g_test_add_func("/chance/four of fifteen are discoveries",
			test_four_of_fifteen_are_discoveries);
	return g_test_run();
}
