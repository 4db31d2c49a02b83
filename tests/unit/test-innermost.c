/* SPDX-License-Identifier: MIT */
/*
 * Which function of a program patterns lead to, by hand, and the clusters that come of it.
 */
#include "common/mine/clusters.h"
#include "common/mine/functions.h"
#include "common/mine/mining.h"
#include "common/mine/patterns.h"
#include "tests/unit/stacks-scene.h"

/* What the functions of two patterns say, where it matters that it is something. */
#define SIMILARITY 0.3

/* Either way round. */
static void assert_likeness(struct stacks_scene *scene, const char *left, const char *right,
			    double wanted)
{
	const struct itp_innermost *innermost = itp_stack_statistics_innermost(scene->statistics);
	const struct itp_pattern a = stacks_scene_pattern(scene, left);
	const struct itp_pattern b = stacks_scene_pattern(scene, right);

	g_assert_cmpfloat_with_epsilon(itp_innermost_likeness(innermost, &a, &b, SIMILARITY),
				       wanted, 1e-9);
	g_assert_cmpfloat_with_epsilon(itp_innermost_likeness(innermost, &b, &a, SIMILARITY),
				       wanted, 1e-9);
	g_free(a.functions);
	g_free(b.functions);
}

/* Two ways to a function that computes, in 40 of 100. */
static void fill_sorting(struct stacks_scene *scene)
{
	stacks_scene_init(scene);
	stacks_scene_add(scene, "main open sort", 20, 0);
	stacks_scene_add(scene, "main close sort c:memcmp", 10, 0);
	stacks_scene_add(scene, "main close sort c:memmove k:fault", 10, 0);
	stacks_scene_add(scene, "main pack", 50, 0);
	stacks_scene_add(scene, "main", 10, 0);
	/* Not on a stack, but known to the table of functions, as all functions of patterns are. */
	stacks_scene_intern(scene, "+10");
	stacks_scene_close(scene);
}

static void test_ways_to_one_function(void)
{
	struct stacks_scene scene;

	fill_sorting(&scene);
	assert_likeness(&scene, "main open sort", "main close sort c:memcmp", 0.6);
	assert_likeness(&scene, "open sort", "sort k:fault", 0.6);
	stacks_scene_release(&scene);
}

static void test_different_functions(void)
{
	struct stacks_scene scene;

	fill_sorting(&scene);
	assert_likeness(&scene, "main pack", "main close sort c:memcmp", SIMILARITY / 2);
	stacks_scene_release(&scene);
}

/* Of what main() costs it is the innermost one in a tenth. */
static void test_callers_of_all(void)
{
	struct stacks_scene scene;

	fill_sorting(&scene);
	assert_likeness(&scene, "main", "main pack", SIMILARITY * 0.55);
	stacks_scene_release(&scene);
}

static void test_patterns_of_no_program(void)
{
	struct stacks_scene scene;

	fill_sorting(&scene);
	assert_likeness(&scene, "c:memcmp", "main pack", SIMILARITY);
	assert_likeness(&scene, "c:memcmp", "k:fault", SIMILARITY);
	assert_likeness(&scene, "+10", "main pack", SIMILARITY);
	assert_likeness(&scene, "main pack +10", "main pack", 0.5);
	stacks_scene_release(&scene);
}

/* What the caller does besides is a quarter of it: the pattern that ends in it is of the same cause
 * as far as that. */
static void test_callbacks(void)
{
	struct stacks_scene scene;

	stacks_scene_init(&scene);
	stacks_scene_add(&scene, "main sort", 10, 0);
	stacks_scene_add(&scene, "main sort c:qsort compare", 30, 0);
	stacks_scene_add(&scene, "main pack", 40, 0);
	stacks_scene_close(&scene);
	assert_likeness(&scene, "main sort", "main sort c:qsort compare", SIMILARITY * 0.625);
	stacks_scene_release(&scene);
}

/* Nearly all that it costs is in one function of the system. */
static void test_wrappers(void)
{
	struct stacks_scene scene;

	stacks_scene_init(&scene);
	stacks_scene_add(&scene, "main retry doze c:nanosleep k:schedule", 60, 0);
	stacks_scene_add(&scene, "main leave doze c:nanosleep k:schedule", 30, 0);
	stacks_scene_add(&scene, "main leave doze", 1, 0);
	stacks_scene_add(&scene, "main look doze_off c:nanosleep k:schedule", 85, 0);
	stacks_scene_add(&scene, "main look doze_off", 15, 0);
	stacks_scene_close(&scene);
	assert_likeness(&scene, "retry doze c:nanosleep", "leave doze c:nanosleep", SIMILARITY);
	assert_likeness(&scene, "look doze_off c:nanosleep", "doze_off", 1 - 100.0 / 191);
	stacks_scene_release(&scene);
}

/* Of all that is 100, connect() waits in doze() for 60, by two ways, and flush() for 10. */
static void fill_dozing(struct stacks_scene *scene)
{
	stacks_scene_init(scene);
	stacks_scene_add(scene, "main tell greet report connect doze c:nanosleep k:schedule", 40,
			 0);
	stacks_scene_add(scene, "main fix recover send connect doze c:nanosleep k:schedule", 20, 0);
	stacks_scene_add(scene, "main stop flush doze c:nanosleep k:schedule", 10, 0);
	stacks_scene_add(scene, "main tell pack", 15, 0);
	stacks_scene_add(scene, "main greet pack", 10, 0);
	stacks_scene_add(scene, "main recover pack", 5, 0);
	stacks_scene_close(scene);
}

/* Who calls a wrapper is the cause, whichever way it was come to: connect() in doze() costs 60. */
static void test_ways_to_who_calls_a_wrapper(void)
{
	struct stacks_scene scene;

	fill_dozing(&scene);
	assert_likeness(&scene, "greet report connect doze c:nanosleep",
			"recover send connect doze c:nanosleep", 0.4);
	assert_likeness(&scene, "connect doze", "send connect doze k:schedule", 0.4);
	/* Others that call it are other causes, as is a function that calls both. */
	assert_likeness(&scene, "connect doze c:nanosleep", "flush doze c:nanosleep", SIMILARITY);
	/* No stack has main() right around doze(). */
	assert_likeness(&scene, "main doze c:nanosleep", "main doze k:schedule", SIMILARITY);
	stacks_scene_release(&scene);
}

/* Two functions that only wait, each in its own way, are two causes, whoever calls both. */
static void test_wrappers_of_one_caller(void)
{
	struct stacks_scene scene;

	stacks_scene_init(&scene);
	stacks_scene_add(&scene, "main handle wait_for c:sem_wait k:schedule", 20, 0);
	stacks_scene_add(&scene, "main handle back_off c:nanosleep k:schedule", 20, 0);
	stacks_scene_add(&scene, "main pack", 60, 0);
	stacks_scene_close(&scene);
	assert_likeness(&scene, "handle wait_for k:schedule", "handle back_off k:schedule",
			SIMILARITY / 2);
	stacks_scene_release(&scene);
}

/* What stands for the function itself is not called by it. */
static void test_what_is_itself(void)
{
	struct stacks_scene scene;

	stacks_scene_init(&scene);
	stacks_scene_add(&scene, "main open sort " ITP_MINED_ITSELF, 45, 0);
	stacks_scene_add(&scene, "main close sort " ITP_MINED_ITSELF, 45, 0);
	stacks_scene_add(&scene, "main sort c:memcmp", 1, 0);
	stacks_scene_add(&scene, "main pack", 109, 0);
	stacks_scene_close(&scene);
	assert_likeness(&scene, "open sort", "close sort", 1 - 91.0 / 200);
	stacks_scene_release(&scene);
}

/* What another thread did for a stack is behind its own. */
static void test_who_is_waited_for(void)
{
	struct stacks_scene scene;

	stacks_scene_init(&scene);
	stacks_scene_add(&scene, "main fetch c:read k:schedule c:start_thread answer", 40, 0);
	stacks_scene_add(&scene, "main list c:poll k:schedule c:start_thread answer", 20, 0);
	stacks_scene_add(&scene, "main fetch c:read k:schedule", 10, 0);
	stacks_scene_add(&scene, "main pack", 80, 0);
	stacks_scene_close(&scene);
	assert_likeness(&scene, "fetch k:schedule answer", "list k:schedule answer",
			1 - 60.0 / 150);
	assert_likeness(&scene, "fetch k:schedule", "list answer", SIMILARITY / 2);
	stacks_scene_release(&scene);
}

/* What clusters cost of the patterns of stacks that wait in two own functions for the same of the
 * system, and of those of one that computes, by two ways. */
static void assert_clusters(enum itp_similarity_choice similarity, const char *wanted)
{
	const struct itp_cluster_options by = { .similarity = similarity,
						.linkage = ITP_LINKAGE_AVERAGE,
						.cut = 0.35 };
	const struct itp_pattern_options options = { .least_ns = 5 };
	g_autoptr(GString) costs = g_string_new(NULL);
	struct itp_mined_patterns patterns;
	struct itp_clusters clusters;
	struct stacks_scene scene;

	stacks_scene_init(&scene);
	stacks_scene_add(&scene, "main book c:lock c:wait k:futex k:schedule", 11, 0);
	stacks_scene_add(&scene, "main visit c:lock c:wait k:futex k:schedule", 10, 0);
	stacks_scene_add(&scene, "main open_shop greet_staff count_stock sort c:memcmp c:equal", 13,
			 0);
	stacks_scene_add(&scene, "main close_day print_list add_sums sort c:memmove k:fault", 12,
			 0);
	stacks_scene_add(&scene, "rest", 40, 0);
	stacks_scene_close(&scene);
	itp_mined_patterns_init(&patterns, &scene.set, itp_function_table_size(scene.functions),
				&options);
	itp_clusters_init(&clusters, &patterns, &scene.set, scene.statistics, &by);
	for (guint i = 0; i < clusters.list->len; i++) {
		g_string_append_printf(
			costs, " %d",
			(int)g_array_index(clusters.list, struct itp_cluster, i).cost_ns);
	}
	g_assert_cmpstr(costs->str, ==, wanted);
	itp_clusters_release(&clusters);
	itp_mined_patterns_release(&patterns);
	stacks_scene_release(&scene);
}

/* The two ways to connect() are one cluster, of 60, and flush() is another. */
static void test_cluster_of_a_wrapper(void)
{
	const struct itp_cluster_options by = { .linkage = ITP_LINKAGE_AVERAGE, .cut = 0.35 };
	const struct itp_pattern_options options = { .least_ns = 10 };
	struct itp_mined_patterns patterns;
	struct itp_clusters clusters;
	struct stacks_scene scene;

	fill_dozing(&scene);
	itp_mined_patterns_init(&patterns, &scene.set, itp_function_table_size(scene.functions),
				&options);
	itp_clusters_init(&clusters, &patterns, &scene.set, scene.statistics, &by);
	g_assert_cmpuint(g_array_index(clusters.list, struct itp_cluster, 0).patterns->len, ==, 2);
	g_assert_cmpint(g_array_index(clusters.list, struct itp_cluster, 0).cost_ns, ==, 60);
	itp_clusters_release(&clusters);
	itp_mined_patterns_release(&patterns);
	stacks_scene_release(&scene);
}

static void test_clusters(void)
{
	assert_clusters(ITP_SIMILARITY_INNERMOST, " 40 25 11 10");
	assert_clusters(ITP_SIMILARITY_PAPER, " 40 25 21");
}

int main(int argc, char **argv)
{
	g_test_init(&argc, &argv, NULL);
	g_test_add_func("/innermost/ways to one function are of one cause",
			test_ways_to_one_function);
	g_test_add_func("/innermost/different functions are half as alike",
			test_different_functions);
	g_test_add_func("/innermost/who calls all others joins little", test_callers_of_all);
	g_test_add_func("/innermost/of patterns without a program's function nothing is said",
			test_patterns_of_no_program);
	g_test_add_func("/innermost/a callback is of its caller as far as that does something",
			test_callbacks);
	g_test_add_func("/innermost/who calls a wrapper matters more", test_wrappers);
	g_test_add_func("/innermost/two ways to who calls a wrapper are one cause",
			test_ways_to_who_calls_a_wrapper);
	g_test_add_func("/innermost/two wrappers of one caller are two causes",
			test_wrappers_of_one_caller);
	g_test_add_func("/innermost/a cause that calls a wrapper is one cluster",
			test_cluster_of_a_wrapper);
	g_test_add_func("/innermost/what a function did itself is not called by it",
			test_what_is_itself);
	g_test_add_func("/innermost/who is waited for is the innermost one",
			test_who_is_waited_for);
	g_test_add_func("/innermost/clusters come of it", test_clusters);
	return g_test_run();
}
