/* SPDX-License-Identifier: MIT */
/* Types of units, and distances between sets of call paths. */
#include <math.h>

#include "common/unit/distances.h"
#include "tests/unit/unit-program.h"

/* A unit in which these system calls are made, "NAME" of p main NAME. */
static void unit(struct program *program, int64_t at, int64_t end, const char *calls)
{
	g_auto(GStrv) names = g_strsplit(calls, " ", -1);

	call(program, "p main wait syscall:poll", at, at + 1, 1);
	call(program, "p main wait", at, at + 1, 1);
	for (guint i = 0; names[i]; i++) {
		g_autofree char *inner = g_strdup_printf("p main %s syscall:write", names[i]);
		g_autofree char *outer = g_strdup_printf("p main %s", names[i]);

		call(program, inner, at + 2, end, 0);
		call(program, outer, at + 2, end, 0);
	}
}

static const struct itp_unit_type *type_at(const GArray *types, guint i)
{
	return &g_array_index(types, struct itp_unit_type, i);
}

static void test_sets_are_types(struct program *program)
{
	const GArray *types;

	for (int64_t i = 0; i < 30; i++) {
		/* Two of three read, one searches. */
		unit(program, 100 * i, 100 * i + 10, i % 3 == 2 ? "log search" : "log read");
	}
	unit(program, 3000, 3010, "log");
	itp_unit_finder_finish(program->finder);
	types = itp_unit_types_find(program->types, 0);
	g_assert_cmpuint(types->len, ==, 2);
	g_assert_cmpuint(type_at(types, 0)->count, ==, 20);
	g_assert_cmpuint(type_at(types, 0)->telling->len, ==, 1);
	g_assert_cmpstr(node_name(program, g_array_index(type_at(types, 0)->telling, uint32_t, 0)),
			==, "read");
	g_assert_cmpuint(type_at(types, 1)->count, ==, 10);
	g_assert_cmpstr(node_name(program, g_array_index(type_at(types, 1)->telling, uint32_t, 0)),
			==, "search");
	types = itp_unit_types_find(program->types, 1);
	g_assert_cmpuint(types->len, ==, 1);
	g_assert_cmpuint(type_at(types, 0)->count, ==, 30);
	g_assert_cmpuint(type_at(types, 0)->sets, ==, 2);
	g_assert_cmpuint(type_at(types, 0)->telling->len, ==, 0);
}

/* A unit that takes so much CPU time, and makes the calls at its end. */
static void compute(struct program *program, int64_t *at_ns, int64_t cpu_ns, const char *calls)
{
	const int64_t begin_ns = *at_ns + 100;
	g_auto(GStrv) names = g_strsplit(calls, " ", -1);

	call(program, "p main wait syscall:poll", *at_ns, begin_ns, 100);
	call(program, "p main wait", *at_ns, begin_ns, 100);
	*at_ns = begin_ns + cpu_ns;
	stretch(program, ITP_STRETCH_RUN, begin_ns, *at_ns);
	for (guint i = 0; names[i]; i++) {
		g_autofree char *inner = g_strdup_printf("p main %s syscall:write", names[i]);
		g_autofree char *outer = g_strdup_printf("p main %s", names[i]);

		call(program, inner, *at_ns - 50 + i, *at_ns - 49 + i, 0);
		call(program, outer, *at_ns - 50 + i, *at_ns - 49 + i, 0);
	}
}

/* Number of types that a guard tells apart, of 100 units that take 3 ms, and of 100 that take a
 * thirtieth, of which so many make a further call. Begins anew. */
static guint count_told(struct program *program, int of_long, int of_short)
{
	int64_t at_ns = 0;
	guint count;

	for (int i = 0; i < 100; i++) {
		const int number = i * 37 % 100;

		compute(program, &at_ns, 3000000 + 7 * i, number < of_long ? "read send" : "read");
		compute(program, &at_ns, 100000 + 7 * i, number < of_short ? "read send" : "read");
	}
	compute(program, &at_ns, 1000, "last");
	itp_unit_finder_finish(program->finder);
	g_assert_cmpuint(itp_unit_types_find(program->types, ITP_UNIT_CUT)->len, ==, 2);
	count = itp_unit_types_find(program->types, ITP_UNIT_CUT_CALLS)->len;
	program_release(program);
	program_init(program);
	return count;
}

static void test_half_of_the_units_make_a_usual_call(struct program *program)
{
	g_assert_cmpuint(count_told(program, 40, 60), ==, 2);
	g_assert_cmpuint(count_told(program, 20, 40), ==, 1);
}

/* 1, 2, 3, 4 and 100: one unit out of five is unusual. */
static void test_numbers(struct program *program)
{
	const struct itp_unit_type *type;
	int64_t at = 0;

	for (int i = 0; i < 5; i++) {
		unit(program, at, at + 3, "work");
		at += 1 + (i == 4 ? 100 : i + 1);
	}
	unit(program, at, at + 3, "work");
	itp_unit_finder_finish(program->finder);
	type = type_at(itp_unit_types_find(program->types, ITP_UNIT_CUT), 0);
	g_assert_cmpuint(type->count, ==, 5);
	g_assert_cmpint(type->total_ns, ==, 110);
	g_assert_cmpint(type->min_ns, ==, 1);
	g_assert_cmpint(type->max_ns, ==, 100);
	g_assert_cmpint(type->median_ns, ==, 3);
	g_assert_cmpint(type->median_deviation_ns, ==, 1);
	g_assert_cmpint(type->median_limit_ns, ==, 3 + ITP_UNIT_DEVIATIONS);
	g_assert_cmpfloat(fabs(type->mean_ns - 22), <, 1e-9);
	g_assert_cmpfloat(fabs(type->deviation_ns - sqrt(1522)), <, 1e-9);
	g_assert_cmpint(type->mean_limit_ns, ==, (int64_t)(22 + ITP_UNIT_DEVIATIONS * sqrt(1522)));
}

static uint32_t set_of(struct program *program, struct itp_path_sets *sets, const char *one,
		       const char *other)
{
	g_autoptr(GArray) nodes = g_array_new(FALSE, FALSE, sizeof(uint32_t));
	uint32_t depth;
	uint32_t node = node_of(program, one, &depth);

	g_array_append_val(nodes, node);
	if (other) {
		node = node_of(program, other, &depth);
		g_array_append_val(nodes, node);
	}
	return itp_path_sets_intern(sets, nodes);
}

static void assert_near(double value, double wanted)
{
	g_assert_cmpfloat(fabs(value - wanted), <, 1e-6);
}

static double distance_to(const struct itp_set_distances *distances, guint i, uint32_t id)
{
	g_autoptr(GArray) paths = itp_set_distances_paths(distances, id);

	return itp_set_distance(distances, i, paths);
}

static double own_distance(const struct itp_set_distances *distances, uint32_t id)
{
	g_autoptr(GArray) paths = itp_set_distances_paths(distances, id);

	return itp_set_own_distance(distances, paths);
}

/* Algorithm 1: paths a b c and a x c share two of three functions; b alone is one of three. */
static void test_distances(struct program *program)
{
	struct itp_path_sets *sets = itp_path_sets_new();
	uint32_t depth;
	const uint32_t loop = node_of(program, "p main", &depth);
	const uint32_t ids[] = {
		set_of(program, sets, "p main a b c", NULL),
		set_of(program, sets, "p main a x c", NULL),
		set_of(program, sets, "p main a b c", "p main a x c"),
		set_of(program, sets, "p main b", NULL),
		ITP_PATH_SET_NONE,
	};
	struct itp_set_distances *distances = itp_set_distances_new(
		program->tree, program->functions, loop, sets, ids, G_N_ELEMENTS(ids));

	assert_near(distance_to(distances, 0, ids[0]), 0);
	assert_near(distance_to(distances, 0, ids[1]), 1.0 / 3);
	assert_near(distance_to(distances, 1, ids[0]), 1.0 / 3);
	assert_near(distance_to(distances, 0, ids[2]), 1.0 / 6);
	assert_near(own_distance(distances, ids[2]), 1.0 / 6);
	assert_near(distance_to(distances, 3, ids[0]), 2.0 / 3);
	assert_near(distance_to(distances, 4, ids[0]), 0);
	itp_set_distances_free(distances);
	itp_path_sets_free(sets);
}

int main(int argc, char **argv)
{
	static const struct test_on_program tests[] = {
		{ "/unit types/sets of paths are types", test_sets_are_types },
		{ "/unit types/half of the units make a usual call",
		  test_half_of_the_units_make_a_usual_call },
		{ "/unit types/numbers", test_numbers },
		{ "/unit types/distances", test_distances },
	};

	g_test_init(&argc, &argv, NULL);
	g_test_set_nonfatal_assertions();
	program_add_tests(tests, G_N_ELEMENTS(tests));
	return g_test_run();
}
