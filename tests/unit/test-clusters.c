/* SPDX-License-Identifier: MIT */
/*
 * Words, alignment, similarity and clusters: by hand, and on seeded random stacks against the same
 * told in another way.
 */
#include <math.h>
#include <string.h>

#include "common/mine/clusters.h"
#include "common/mine/counting.h"
#include "common/mine/names.h"
#include "common/mine/patterns.h"
#include "tests/unit/stacks-scene.h"

#define SEEDS 400
#define LETTERS 6
#define MAX_PATTERNS 40

static double similarity_of(struct stacks_scene *scene, const char *left, const char *right)
{
	const struct itp_pattern a = stacks_scene_pattern(scene, left);
	const struct itp_pattern b = stacks_scene_pattern(scene, right);
	double similarity = itp_similarity(scene->statistics, &a, &b);

	g_free(a.functions);
	g_free(b.functions);
	return similarity;
}

static double distance_of(const char *a, const char *b)
{
	struct itp_word_table *table = itp_word_table_new();
	g_autoptr(GArray) left = itp_name_words(table, a);
	g_autoptr(GArray) right = itp_name_words(table, b);
	double distance = itp_words_distance(left, right);

	itp_word_table_free(table);
	return distance;
}

static void test_words(void)
{
	/* read, url, file of both: 2 · 3 / (3 + 3). */
	g_assert_cmpfloat_with_epsilon(distance_of("readURLFile2", "url_file::Read"), 0, 1e-9);
	/* lock of lock, table and lock, row: 1 − 2 / 4. */
	g_assert_cmpfloat_with_epsilon(distance_of("lockTable", "lock_row"), 0.5, 1e-9);
	g_assert_cmpfloat_with_epsilon(distance_of("open", "close"), 1, 1e-9);
	/* Twice is twice: 1 − 2 / 3. */
	g_assert_cmpfloat_with_epsilon(distance_of("copyCopy", "copy"), 1.0 / 3, 1e-9);
	g_assert_cmpfloat_with_epsilon(distance_of("123", "_"), 0, 1e-9);
	g_assert_cmpfloat_with_epsilon(distance_of("été", "été2"), 0, 1e-9);
}

/* Four stacks: all begin with App, two have Read, two Write, two Parse. */
static void test_similarity(void)
{
	struct stacks_scene scene;

	stacks_scene_init(&scene);
	stacks_scene_add(&scene, "App Read Parse", 1, 0);
	stacks_scene_add(&scene, "App Read Scan", 1, 0);
	stacks_scene_add(&scene, "App Write Parse", 1, 0);
	stacks_scene_add(&scene, "App Write Sync", 1, 0);
	stacks_scene_close(&scene);
	g_assert_cmpfloat_with_epsilon(similarity_of(&scene, "App Read Parse", "App Read Parse"), 1,
				       1e-9);
	/* App weighs 0. Read and Write have no word in common and weigh 0.5 each, as does Parse:
	 * 0.5 / (0.5 + 0.5). */
	g_assert_cmpfloat_with_epsilon(similarity_of(&scene, "App Read Parse", "App Write Parse"),
				       0.5, 1e-9);
	/* Read, behind App in one segment: 0.5 · (0.5 + 1) / 2, as half of what App calls is Read.
	 * Parse and Scan: (0.5 + 0.75) / 2. */
	g_assert_cmpfloat_with_epsilon(similarity_of(&scene, "App Read Parse", "App Read Scan"),
				       0.375 / (0.375 + 0.625), 1e-9);
	/* One function of one alone: Read is first in its segment and last, 0.5. */
	g_assert_cmpfloat_with_epsilon(similarity_of(&scene, "Read Parse", "Parse"),
				       0.5 / (0.5 + 0.5), 1e-9);
	/* Nothing weighs anything. */
	g_assert_cmpfloat(similarity_of(&scene, "App", "App"), ==, 1);
	g_assert_cmpfloat(similarity_of(&scene, "App", "App App"), ==, 0);
	stacks_scene_release(&scene);
}

/* Two stacks, of which one took three times as long: what both have in common weighs less than what
 * is in the other alone. */
static void test_weights_are_times(void)
{
	struct stacks_scene scene;

	stacks_scene_init(&scene);
	stacks_scene_add(&scene, "App Read", 3, 0);
	stacks_scene_add(&scene, "App Sync", 1, 0);
	stacks_scene_close(&scene);
	/* Read weighs 1 − 3 / 4, Sync 1 − 1 / 4. */
	g_assert_cmpfloat_with_epsilon(similarity_of(&scene, "Read", "Read Sync"),
				       0.25 / (0.25 + 0.75), 1e-9);
	stacks_scene_release(&scene);
}

static char *names_of(const struct stacks_scene *scene, const GArray *functions)
{
	GString *text = g_string_new(NULL);

	for (guint i = 0; i < functions->len; i++) {
		g_string_append_printf(text, "%s%s", i > 0 ? " " : "",
				       itp_function_table_get(scene->functions,
							      g_array_index(functions, uint32_t, i))
					       ->name);
	}
	return g_string_free(text, FALSE);
}

/* Two ways to one disk, and something else. */
static void test_clusters(void)
{
	const struct itp_pattern_options options = { .least_ns = 5 };
	const struct itp_cluster_options by = { .similarity = ITP_SIMILARITY_PAPER,
						.linkage = ITP_LINKAGE_AVERAGE,
						.cut = 0.3 };
	struct itp_mined_patterns patterns;
	struct itp_clusters clusters;
	struct stacks_scene scene;
	g_autoptr(GArray) coverage = NULL;
	const struct itp_cluster *first;
	g_autofree char *common = NULL;

	stacks_scene_init(&scene);
	stacks_scene_add(&scene, "main open_file hash read_disk wait_io", 6, 0);
	stacks_scene_add(&scene, "main open_file scan read_disk wait_io", 5, 1);
	stacks_scene_add(&scene, "main draw_window paint text", 7, 1);
	stacks_scene_add(&scene, "main rest", 1, 2);
	stacks_scene_close(&scene);
	itp_mined_patterns_init(&patterns, &scene.set, itp_function_table_size(scene.functions),
				&options);
	g_assert_cmpuint(patterns.list->len, ==, 3);
	itp_clusters_init(&clusters, &patterns, &scene.set, scene.statistics, &by);
	g_assert_cmpuint(clusters.list->len, ==, 2);
	first = &g_array_index(clusters.list, struct itp_cluster, 0);
	g_assert_cmpuint(first->patterns->len, ==, 2);
	g_assert_cmpint(first->cost_ns, ==, 11);
	g_assert_cmpuint(first->events, ==, 2);
	g_assert_cmpuint(first->traces, ==, 2);
	common = names_of(&scene, first->common);
	g_assert_cmpstr(common, ==, "main open_file read_disk wait_io");
	coverage = itp_clusters_coverage(&clusters, &patterns, &scene.set);
	g_assert_cmpint(g_array_index(coverage, int64_t, 0), ==, 11);
	g_assert_cmpint(g_array_index(coverage, int64_t, 1), ==, 18);
	itp_clusters_release(&clusters);
	itp_mined_patterns_release(&patterns);
	stacks_scene_release(&scene);
}

/* That the closed scene has so many patterns, in clusters that cost this. */
static void assert_clusters(struct stacks_scene *scene, const struct itp_cluster_options *by,
			    int64_t least_ns, guint pattern_count, const int64_t *costs,
			    guint cluster_count)
{
	const struct itp_pattern_options options = { .least_ns = least_ns };
	struct itp_mined_patterns patterns;
	struct itp_clusters clusters;

	itp_mined_patterns_init(&patterns, &scene->set, itp_function_table_size(scene->functions),
				&options);
	g_assert_cmpuint(patterns.list->len, ==, pattern_count);
	itp_clusters_init(&clusters, &patterns, &scene->set, scene->statistics, by);
	g_assert_cmpuint(clusters.list->len, ==, cluster_count);
	for (guint i = 0; i < cluster_count; i++) {
		g_assert_cmpint(g_array_index(clusters.list, struct itp_cluster, i).cost_ns, ==,
				costs[i]);
	}
	itp_clusters_release(&clusters);
	itp_mined_patterns_release(&patterns);
}

/* What all do is no reason to join what one of them does besides. */
static void test_parts_stay_apart(void)
{
	const struct itp_cluster_options by = { .similarity = ITP_SIMILARITY_PAPER,
						.linkage = ITP_LINKAGE_AVERAGE,
						.cut = 0.1 };
	const int64_t costs[] = { 12, 9, 3 };
	struct stacks_scene scene;

	stacks_scene_init(&scene);
	stacks_scene_add(&scene, "main handle compute", 3, 0);
	stacks_scene_add(&scene, "main handle wait rebuild compute", 9, 1);
	stacks_scene_add(&scene, "rest", 12, 2);
	stacks_scene_close(&scene);
	g_assert_cmpfloat(
		similarity_of(&scene, "main handle compute", "main handle wait rebuild compute"), >,
		by.cut);
	assert_clusters(&scene, &by, 3, 3, costs, G_N_ELEMENTS(costs));
	stacks_scene_release(&scene);
}

/* The third pattern is part of the first one; the second one joins them, which is like both. */
static void test_parts_come_with_others(void)
{
	const struct itp_cluster_options by = { .similarity = ITP_SIMILARITY_PAPER,
						.linkage = ITP_LINKAGE_AVERAGE,
						.cut = 0.3 };
	const int64_t costs[] = { 20, 18 };
	struct stacks_scene scene;

	stacks_scene_init(&scene);
	stacks_scene_add(&scene, "main open_file hash read_disk wait_io", 7, 0);
	stacks_scene_add(&scene, "main open_file scan read_disk wait_io", 6, 1);
	stacks_scene_add(&scene, "main open_file hash wait_io", 5, 2);
	stacks_scene_add(&scene, "main draw_window paint text", 20, 3);
	stacks_scene_close(&scene);
	/* With nothing in common with the first one, it would stay apart on average. */
	g_assert_cmpfloat(similarity_of(&scene, "main open_file scan read_disk wait_io",
					"main open_file hash wait_io"),
			  <, 2 * by.cut);
	assert_clusters(&scene, &by, 5, 4, costs, G_N_ELEMENTS(costs));
	stacks_scene_release(&scene);
}

/* ---- Random ---- */

static void fill(struct stacks_scene *scene, GRand *random)
{
	int count = g_rand_int_range(random, 2, 12);

	for (int i = 0; i < count; i++) {
		g_autoptr(GString) stack = g_string_new("main");
		int length = g_rand_int_range(random, 0, 7);

		for (int k = 0; k < length; k++) {
			g_string_append_printf(stack, " f%c",
					       'a' + g_rand_int_range(random, 0, LETTERS));
		}
		stacks_scene_add(scene, stack->str, g_rand_int_range(random, 1, 9),
				 (uint32_t)i / 2);
	}
	stacks_scene_close(scene);
}

static bool has(const GArray *path, const struct itp_pattern *pattern)
{
	return itp_is_subsequence(pattern->functions, pattern->length,
				  (const uint32_t *)(const void *)path->data, path->len);
}

/* Whether the stack has the pattern, and no longer one that was found and has this one. */
static bool counts_for(const GArray *path, const struct itp_pattern *pattern,
		       const struct itp_mined_patterns *patterns)
{
	bool counts = has(path, pattern);

	for (guint i = 0; i < patterns->list->len; i++) {
		const struct itp_pattern *other =
			&g_array_index(patterns->list, struct itp_pattern, i);

		counts &= other->length <= pattern->length || !has(path, other) ||
			  !itp_is_subsequence(pattern->functions, pattern->length, other->functions,
					      other->length);
	}
	return counts;
}

static bool counts_for_any(const struct stacks_scene *scene, const struct itp_stack *stack,
			   const struct itp_cluster *cluster,
			   const struct itp_mined_patterns *patterns)
{
	g_autoptr(GArray) path = g_array_new(FALSE, FALSE, sizeof(uint32_t));

	itp_context_tree_path(scene->set.tree, stack->node, path);
	for (guint i = 0; i < cluster->patterns->len; i++) {
		if (counts_for(path,
			       &g_array_index(patterns->list, struct itp_pattern,
					      g_array_index(cluster->patterns, guint, i)),
			       patterns)) {
			return true;
		}
	}
	return false;
}

static bool is_of_trace(const struct stacks_scene *scene, guint stack, uint32_t trace)
{
	for (guint i = 0; i < scene->set.traces->len; i++) {
		const struct itp_stack_trace *pair =
			&g_array_index(scene->set.traces, struct itp_stack_trace, i);

		if (pair->stack == stack && pair->trace == trace) {
			return true;
		}
	}
	return false;
}

static uint32_t count_traces(const struct stacks_scene *scene, const bool *counts)
{
	uint32_t traces = 0;

	for (uint32_t trace = 0; trace < 8; trace++) {
		bool is_in = false;

		for (guint i = 0; i < scene->set.stacks->len; i++) {
			is_in |= counts[i] && is_of_trace(scene, i, trace);
		}
		traces += is_in;
	}
	return traces;
}

/* Costs, events and traces by looking at each stack. */
static void assert_sums(const struct stacks_scene *scene, const struct itp_clusters *clusters,
			const struct itp_mined_patterns *patterns)
{
	g_autofree bool *seen = g_new0(bool, scene->set.stacks->len);
	g_autoptr(GArray) coverage = itp_clusters_coverage(clusters, patterns, &scene->set);
	int64_t covered_ns = 0;

	for (guint c = 0; c < clusters->list->len; c++) {
		const struct itp_cluster *cluster =
			&g_array_index(clusters->list, struct itp_cluster, c);
		g_autofree bool *counts = g_new0(bool, scene->set.stacks->len);
		int64_t cost_ns = 0;
		uint64_t events = 0;

		for (guint i = 0; i < scene->set.stacks->len; i++) {
			const struct itp_stack *stack =
				&g_array_index(scene->set.stacks, struct itp_stack, i);

			counts[i] = counts_for_any(scene, stack, cluster, patterns);
			cost_ns += counts[i] ? stack->cost_ns : 0;
			events += counts[i] ? stack->events : 0;
			covered_ns += counts[i] && !seen[i] ? stack->cost_ns : 0;
			seen[i] |= counts[i];
		}
		g_assert_cmpint(cluster->cost_ns, ==, cost_ns);
		g_assert_cmpuint(cluster->events, ==, events);
		g_assert_cmpuint(cluster->traces, ==, count_traces(scene, counts));
		g_assert_cmpint(g_array_index(coverage, int64_t, c), ==, covered_ns);
	}
}

/* How alike two clusters are, by all pairs of their patterns. */
static double linkage_of(double (*similarity)[MAX_PATTERNS], const guint *cluster_of, guint count,
			 guint a, guint b, enum itp_linkage linkage)
{
	double sum = 0;
	double most = 0;
	double least = 1;
	guint pairs = 0;

	for (guint i = 0; i < count; i++) {
		for (guint k = 0; k < count; k++) {
			if (cluster_of[i] == a && cluster_of[k] == b) {
				sum += similarity[i][k];
				most = MAX(most, similarity[i][k]);
				least = MIN(least, similarity[i][k]);
				pairs++;
			}
		}
	}
	return linkage == ITP_LINKAGE_SINGLE   ? most :
	       linkage == ITP_LINKAGE_COMPLETE ? least :
						 sum / pairs;
}

static bool is_in(const struct itp_pattern *part, const struct itp_pattern *whole)
{
	return itp_is_subsequence(part->functions, part->length, whole->functions, whole->length);
}

/* What is part of another one is almost as alike as the cut; only a pattern itself is as long as
 * it.
 */
static double alike(const struct stacks_scene *scene, const struct itp_pattern *left,
		    const struct itp_pattern *right, double cut)
{
	return left->length != right->length && (is_in(left, right) || is_in(right, left)) ?
		       0.999 * cut :
		       itp_similarity(scene->statistics, left, right);
}

/* No two clusters are more alike than the cut, but for rounding, and none could have been made of
 * what is less alike: of each, some two halves are at least as alike. */
static void assert_apart(struct stacks_scene *scene, const struct itp_clusters *clusters,
			 const struct itp_mined_patterns *patterns,
			 const struct itp_cluster_options *by)
{
	static double similarity[MAX_PATTERNS][MAX_PATTERNS];
	guint cluster_of[MAX_PATTERNS];
	guint count = patterns->list->len;

	for (guint c = 0; c < clusters->list->len; c++) {
		const GArray *members =
			g_array_index(clusters->list, struct itp_cluster, c).patterns;

		for (guint i = 0; i < members->len; i++) {
			cluster_of[g_array_index(members, guint, i)] = c;
		}
	}
	for (guint i = 0; i < count; i++) {
		for (guint k = 0; k < count; k++) {
			similarity[i][k] =
				alike(scene,
				      &g_array_index(patterns->list, struct itp_pattern, MIN(i, k)),
				      &g_array_index(patterns->list, struct itp_pattern, MAX(i, k)),
				      by->cut);
		}
	}
	for (guint a = 0; a < clusters->list->len; a++) {
		for (guint b = 0; b < a; b++) {
			g_assert_cmpfloat(
				linkage_of(similarity, cluster_of, count, a, b, by->linkage), <,
				by->cut + 1e-5);
		}
	}
}

static void test_random_clusters(void)
{
	for (guint32 seed = 0; seed < SEEDS; seed++) {
		g_autoptr(GRand) random = g_rand_new_with_seed(seed);
		struct itp_pattern_options options = { 0 };
		const struct itp_cluster_options by = {
			.similarity = ITP_SIMILARITY_PAPER,
			.linkage = (enum itp_linkage)(seed % 3),
			.cut = g_rand_double_range(random, 0.1, 1),
			.order = (enum itp_cluster_order)(seed % 4),
		};
		struct itp_mined_patterns patterns;
		struct itp_clusters clusters;
		struct stacks_scene scene;

		stacks_scene_init(&scene);
		fill(&scene, random);
		options.least_ns = g_rand_int_range(random, 1, (gint32)scene.set.cost_ns + 1);
		itp_mined_patterns_init(&patterns, &scene.set,
					itp_function_table_size(scene.functions), &options);
		itp_clusters_init(&clusters, &patterns, &scene.set, scene.statistics, &by);
		assert_sums(&scene, &clusters, &patterns);
		if (patterns.list->len <= MAX_PATTERNS) {
			assert_apart(&scene, &clusters, &patterns, &by);
		}
		itp_clusters_release(&clusters);
		itp_mined_patterns_release(&patterns);
		stacks_scene_release(&scene);
		if (g_test_failed()) {
			g_test_message("seed %u", seed);
			return;
		}
	}
}

int main(int argc, char **argv)
{
	g_test_init(&argc, &argv, NULL);
	g_test_set_nonfatal_assertions();
	g_test_add_func("/clusters/words", test_words);
	g_test_add_func("/clusters/similarity", test_similarity);
	g_test_add_func("/clusters/weights are times", test_weights_are_times);
	g_test_add_func("/clusters/by hand", test_clusters);
	g_test_add_func("/clusters/parts stay apart", test_parts_stay_apart);
	g_test_add_func("/clusters/parts come with others", test_parts_come_with_others);
	g_test_add_func("/clusters/random", test_random_clusters);
	return g_test_run();
}
