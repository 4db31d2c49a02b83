/* SPDX-License-Identifier: MIT */
/*
 * What must hold for the view of any tree, tried on seeded random ones against the same rules
 * applied to whole paths.
 */
#include <string.h>

#include "tests/unit/view-scene.h"

#define SEEDS 300

#define LETTERS "abcd"

static void grow(struct view_scene *scene, GRand *random)
{
	int count = g_rand_int_range(random, 1, 60);

	while (count-- > 0) {
		uint32_t node = view_scene_node(scene, g_rand_boolean(random) ? "p" : "q");
		int depth = g_rand_int_range(random, 0, 9);

		while (depth-- > 0) {
			char name[2] = { LETTERS[g_rand_int_range(random, 0, 4)] };

			node = itp_context_tree_child(
				scene->tree, node,
				view_scene_function(scene, name, ITP_LAYER_USER));
			view_scene_add_calls(scene, g_rand_int_range(random, 0, 2), node,
					     (uint64_t)g_rand_int_range(random, 0, 4),
					     g_rand_int_range(random, 0, 1000));
		}
	}
}

static char *random_class(GRand *random)
{
	char letter = LETTERS[g_rand_int_range(random, 0, 4)];

	return g_rand_boolean(random) ?
		       g_strdup_printf("^%c$", letter) :
		       g_strdup_printf("[%c%c]", letter, LETTERS[g_rand_int_range(random, 0, 4)]);
}

/* What a random view does, for the oracle to do too. */
struct plan {
	/* NULL: none. Owned by this. */
	char *patterns[ITP_VIEW_PATTERN_COUNT];
	bool fold_recursion;
	size_t max_depth;
};

static void plan_init(struct plan *plan, GRand *random)
{
	for (size_t i = 0; i < ITP_VIEW_PATTERN_COUNT; i++) {
		bool is_set = g_rand_int_range(random, 0, 3) == 0;

		plan->patterns[i] = is_set ? random_class(random) : NULL;
	}
	plan->fold_recursion = g_rand_boolean(random);
	plan->max_depth = (size_t)g_rand_int_range(random, 0, 6);
}

static void plan_release(struct plan *plan)
{
	for (size_t i = 0; i < ITP_VIEW_PATTERN_COUNT; i++) {
		g_free(plan->patterns[i]);
	}
}

static bool is_chosen(const struct plan *plan, enum itp_view_pattern pattern, char letter)
{
	const char name[2] = { letter };

	return plan->patterns[pattern] && g_regex_match_simple(plan->patterns[pattern], name, 0, 0);
}

/* Index of the first letter of `frames` that a pattern chooses; its length when there is none. */
static size_t find_chosen(const struct plan *plan, enum itp_view_pattern pattern,
			  const char *frames)
{
	size_t i = 0;

	while (frames[i] != '\0' && !is_chosen(plan, pattern, frames[i])) {
		i++;
	}
	return i;
}

/* The context into which the own latency of `frames`, letters below a process, goes; NULL when it
 * is left out. The caller frees it. */
static char *view_path(const struct plan *plan, const char *frames)
{
	g_autoptr(GString) path = g_string_new(NULL);
	size_t length = strlen(frames);
	size_t begin = 0;

	if (find_chosen(plan, ITP_VIEW_IGNORE, frames) < length ||
	    (plan->patterns[ITP_VIEW_FOCUS] &&
	     find_chosen(plan, ITP_VIEW_FOCUS, frames) == length)) {
		return NULL;
	}
	if (plan->patterns[ITP_VIEW_ROOT]) {
		begin = find_chosen(plan, ITP_VIEW_ROOT, frames);
		if (begin == length) {
			return NULL;
		}
	}
	for (size_t i = begin; i < length; i++) {
		if (is_chosen(plan, ITP_VIEW_HIDE, frames[i]) ||
		    (plan->fold_recursion && path->len > 0 &&
		     path->str[path->len - 1] == frames[i]) ||
		    (plan->max_depth > 0 && path->len >= plan->max_depth)) {
			continue;
		}
		g_string_append_c(path, frames[i]);
	}
	return g_string_free(g_steal_pointer(&path), FALSE);
}

/* "p:abc" of a node. The caller frees it. */
static char *letters_of(const struct itp_function_table *functions,
			const struct itp_context_tree *tree, uint32_t node)
{
	g_autofree char *path = view_scene_path(functions, tree, node);
	g_auto(GStrv) words = g_strsplit(path, " ", -1);
	g_autofree char *frames = g_strjoinv("", words + 1);

	return g_strdup_printf("%s:%s", words[0], frames);
}

static void add_to(GHashTable *sums, const char *key, int64_t value)
{
	int64_t *sum = g_hash_table_lookup(sums, key);

	if (!sum) {
		sum = g_new0(int64_t, 1);
		g_hash_table_insert(sums, g_strdup(key), sum);
	}
	*sum += value;
}

static GHashTable *sums_new(void)
{
	return g_hash_table_new_full(g_str_hash, g_str_equal, g_free, g_free);
}

/* Own latency by context, as the rules for whole paths say. */
static GHashTable *expected_own(const struct view_scene *scene, const struct plan *plan,
				guint index)
{
	GHashTable *sums = sums_new();

	for (uint32_t node = 1; node < itp_context_tree_size(scene->tree); node++) {
		g_autofree char *letters = letters_of(scene->functions, scene->tree, node);
		g_autofree char *frames = view_path(plan, letters + 2);

		if (frames) {
			g_autofree char *key = g_strdup_printf("%c:%s", letters[0], frames);

			add_to(sums, key,
			       itp_profile_peek(view_scene_profile(scene, index), node)->own_ns);
		}
	}
	return sums;
}

static void check_own(const struct itp_view *view, guint index, GHashTable *expected)
{
	int64_t left_ns = 0;
	GHashTableIter all;
	gpointer value;

	for (uint32_t node = 1; node < itp_context_tree_size(view->tree); node++) {
		g_autofree char *letters = letters_of(view->functions, view->tree, node);
		const int64_t *sum = g_hash_table_lookup(expected, letters);

		g_assert_cmpint(
			itp_profile_peek(g_ptr_array_index(view->profiles, index), node)->own_ns,
			==, sum ? *sum : 0);
		g_hash_table_remove(expected, letters);
	}
	g_hash_table_iter_init(&all, expected);
	while (g_hash_table_iter_next(&all, NULL, &value)) {
		left_ns += *(int64_t *)value;
	}
	g_assert_cmpint(left_ns, ==, 0);
}

/* total = own + Σ children's totals, and the same of the use. */
static void check_sums(const struct itp_view *view, guint index)
{
	const struct itp_profile *profile = g_ptr_array_index(view->profiles, index);
	uint32_t count = itp_context_tree_size(view->tree);
	g_autofree int64_t *rest_ns = g_new0(int64_t, count);
	g_autofree int64_t *rest_cpu_ns = g_new0(int64_t, count);

	for (uint32_t node = count; node-- > 1;) {
		const struct itp_node_stats *stats = itp_profile_peek(profile, node);
		uint32_t parent = itp_context_tree_get(view->tree, node)->parent;

		g_assert_cmpint(stats->total_ns - stats->own_ns + rest_ns[node], ==, 0);
		g_assert_cmpint(stats->use.cpu_ns - stats->own_use.cpu_ns + rest_cpu_ns[node], ==,
				0);
		g_assert_cmpint(stats->lower_ns, <=, stats->total_ns);
		g_assert_cmpint(stats->upper_ns, >=, stats->total_ns);
		rest_ns[parent] -= stats->total_ns;
		rest_cpu_ns[parent] -= stats->use.cpu_ns;
	}
}

static struct itp_profile *merged(const GPtrArray *profiles)
{
	struct itp_profile *sum = itp_profile_new("sum");

	itp_profile_merge(sum, g_ptr_array_index(profiles, 0));
	itp_profile_merge(sum, g_ptr_array_index(profiles, 1));
	return sum;
}

/* The view of the merge is the merge of the views, in all that a node has. */
static void check_merge(const struct view_scene *scene, const struct itp_view *view)
{
	g_autoptr(GPtrArray) sums =
		g_ptr_array_new_with_free_func((GDestroyNotify)itp_profile_free);
	struct itp_profile *sum_of_views = merged(view->profiles);
	struct itp_view_input input = view_scene_input(scene);
	struct itp_view *view_of_sum;

	g_ptr_array_add(sums, merged(scene->profiles));
	input.profiles = sums;
	input.takes = true;
	view_of_sum = itp_view_new(&scene->options, &input, NULL);
	g_assert_nonnull(view_of_sum);
	g_assert_cmpuint(itp_context_tree_size(view_of_sum->tree), ==,
			 itp_context_tree_size(view->tree));
	for (uint32_t node = 1; node < itp_context_tree_size(view->tree); node++) {
		g_assert_cmpmem(itp_profile_peek(sum_of_views, node), sizeof(struct itp_node_stats),
				itp_profile_peek(g_ptr_array_index(view_of_sum->profiles, 0), node),
				sizeof(struct itp_node_stats));
	}
	itp_view_free(view_of_sum);
	itp_profile_free(sum_of_views);
}

/* Returns whether there was something to look at: a view may be of nothing. */
static bool check_random(guint32 seed)
{
	GRand *random = g_rand_new_with_seed(seed);
	struct view_scene scene;
	struct plan plan;
	struct itp_view_input input;
	struct itp_view *view;

	view_scene_set_up(&scene, NULL);
	grow(&scene, random);
	plan_init(&plan, random);
	scene.options.fold_recursion = plan.fold_recursion;
	scene.options.max_depth = plan.max_depth;
	for (size_t i = 0; i < ITP_VIEW_PATTERN_COUNT; i++) {
		if (plan.patterns[i]) {
			view_scene_set_pattern(&scene, (enum itp_view_pattern)i, plan.patterns[i]);
		}
	}
	input = view_scene_input(&scene);
	view = itp_view_new(&scene.options, &input, NULL);
	for (guint i = 0; view && i < scene.profiles->len; i++) {
		g_autoptr(GHashTable) expected = expected_own(&scene, &plan, i);

		check_own(view, i, expected);
		check_sums(view, i);
	}
	if (view) {
		check_merge(&scene, view);
	}
	plan_release(&plan);
	view_scene_tear_down(&scene, NULL);
	itp_view_free(view);
	g_rand_free(random);
	return view != NULL;
}

static void test_random_trees_are_looked_at_as_their_paths_are(void)
{
	int seen = 0;

	for (guint32 seed = 1; seed <= SEEDS && !g_test_failed(); seed++) {
		seen += check_random(seed);
		if (g_test_failed()) {
			g_test_message("seed %u", seed);
		}
	}
	g_assert_cmpint(seen, >, SEEDS / 2);
}

int main(int argc, char **argv)
{
	g_test_init(&argc, &argv, NULL);
	g_test_set_nonfatal_assertions();
	g_test_add_func("/view/random trees are looked at as their paths are",
			test_random_trees_are_looked_at_as_their_paths_are);
	return g_test_run();
}
