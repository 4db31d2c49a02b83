/* SPDX-License-Identifier: MIT */
/*
 * Views of trees that were written down, and what must hold for the view of any tree, tried on
 * seeded random ones against the same rules applied to whole paths.
 */
#include "common/rank/view.h"

#include <string.h>

#define SEEDS 300

/* Two workloads on one tree, and how to look at them. */
struct fixture {
	struct itp_function_table *functions;
	struct itp_context_tree *tree;
	GPtrArray *profiles;
	struct itp_names *names;
	struct itp_view_options options;
};

static void set_up(struct fixture *fixture, gconstpointer data)
{
	(void)data;
	fixture->functions = itp_function_table_new();
	fixture->tree = itp_context_tree_new();
	fixture->profiles = g_ptr_array_new_with_free_func((GDestroyNotify)itp_profile_free);
	g_ptr_array_add(fixture->profiles, itp_profile_new("one"));
	g_ptr_array_add(fixture->profiles, itp_profile_new("two"));
	fixture->names = itp_names_new(true);
	fixture->options = (struct itp_view_options){ .names = fixture->names };
}

static void tear_down(struct fixture *fixture, gconstpointer data)
{
	(void)data;
	for (size_t i = 0; i < ITP_VIEW_PATTERN_COUNT; i++) {
		itp_patterns_free((struct itp_patterns *)fixture->options.patterns[i]);
	}
	itp_names_free(fixture->names);
	g_ptr_array_unref(fixture->profiles);
	itp_context_tree_free(fixture->tree);
	itp_function_table_free(fixture->functions);
}

static struct itp_profile *profile_at(const struct fixture *fixture, guint i)
{
	return g_ptr_array_index(fixture->profiles, i);
}

/* "main", "libz.so.1!inflate", or "+0x10@BUILD" for a place without a name. */
static uint32_t function(struct fixture *fixture, const char *text, enum itp_layer layer)
{
	g_auto(GStrv) module = g_strsplit(text, "!", 2);
	g_auto(GStrv) build = g_strsplit(module[1] ? module[1] : text, "@", 2);
	const struct itp_function function = {
		.name = build[0],
		.module = module[1]                  ? module[0] :
			  layer == ITP_LAYER_PROCESS ? "" :
						       "shop",
		.build_id = build[1] ? build[1] : "",
		.layer = layer,
		.is_unnamed = text[0] == '+',
	};

	return itp_function_table_intern(fixture->functions, &function);
}

/* Node of "p main work", a process and functions. */
static uint32_t node_at(struct fixture *fixture, const char *path)
{
	g_auto(GStrv) words = g_strsplit(path, " ", -1);
	uint32_t node = ITP_CONTEXT_ROOT;

	for (size_t i = 0; words[i]; i++) {
		node = itp_context_tree_child(
			fixture->tree, node,
			function(fixture, words[i], i == 0 ? ITP_LAYER_PROCESS : ITP_LAYER_USER));
	}
	return node;
}

/* Adds `count` calls of `own_ns` together, of which callers know as well: add them before. */
static void add_calls(struct fixture *fixture, guint profile, uint32_t node, uint64_t count,
		      int64_t own_ns)
{
	struct itp_node_stats *stats = itp_profile_node(profile_at(fixture, profile), node);

	for (uint64_t i = 0; i < count; i++) {
		itp_node_stats_add(stats, 0, 0, 0);
	}
	stats->max_count += count + 1;
	stats->max_ns = MAX(stats->max_ns, own_ns);
	stats->own_ns += own_ns;
	stats->own_use.cpu_ns += own_ns / 2;
	/* Tell by how well they are known whether they went with the own latency. */
	stats->samples += (uint64_t)own_ns;
	stats->own_variance_us2 += 2 * (uint64_t)own_ns;
	while (node != ITP_CONTEXT_ROOT) {
		stats = itp_profile_node(profile_at(fixture, profile), node);
		stats->total_ns += own_ns;
		stats->lower_ns += own_ns - 1;
		stats->upper_ns += own_ns + 2;
		stats->use.cpu_ns += own_ns / 2;
		node = itp_context_tree_get(fixture->tree, node)->parent;
	}
}

static void calls(struct fixture *fixture, const char *path, uint64_t count, int64_t own_ns)
{
	add_calls(fixture, 0, node_at(fixture, path), count, own_ns);
}

static void set_pattern(struct fixture *fixture, enum itp_view_pattern pattern, const char *text)
{
	g_autoptr(GPtrArray) texts = g_ptr_array_new();
	GError *error = NULL;

	g_ptr_array_add(texts, (char *)text);
	fixture->options.patterns[pattern] =
		itp_patterns_new(itp_view_pattern_names[pattern], texts, &error);
	g_assert_no_error(error);
}

static struct itp_view_input input_of(const struct fixture *fixture)
{
	return (struct itp_view_input){ .functions = fixture->functions,
					.tree = fixture->tree,
					.profiles = fixture->profiles };
}

static struct itp_view *view_new(const struct fixture *fixture)
{
	GError *error = NULL;
	const struct itp_view_input input = input_of(fixture);
	struct itp_view *view = itp_view_new(&fixture->options, &input, &error);

	g_assert_no_error(error);
	return view;
}

/* "p main work" of a node of a view. The caller frees it. */
static char *path_of(const struct itp_function_table *functions,
		     const struct itp_context_tree *tree, uint32_t node)
{
	g_autoptr(GArray) path = g_array_new(FALSE, FALSE, sizeof(uint32_t));
	GString *text = g_string_new(NULL);

	itp_context_tree_path(tree, node, path);
	for (guint i = 0; i < path->len; i++) {
		g_string_append_printf(
			text, "%s%s", i == 0 ? "" : " ",
			itp_function_table_get(functions, g_array_index(path, uint32_t, i))->name);
	}
	return g_string_free(text, FALSE);
}

/* A line for each node: "PATH: COUNT calls, TOTAL [LOWER, UPPER], own OWN". */
static void check_view(const struct fixture *fixture, const char *wanted)
{
	struct itp_view *view = view_new(fixture);
	const struct itp_profile *profile = g_ptr_array_index(view->profiles, 0);
	g_autoptr(GString) text = g_string_new(NULL);

	for (uint32_t node = 1; node < itp_context_tree_size(view->tree); node++) {
		const struct itp_node_stats *stats = itp_profile_peek(profile, node);
		g_autofree char *path = path_of(view->functions, view->tree, node);

		g_string_append_printf(text,
				       "%s: %" G_GUINT64_FORMAT " calls, %" G_GINT64_FORMAT
				       " [%" G_GINT64_FORMAT ", %" G_GINT64_FORMAT
				       "], own %" G_GINT64_FORMAT "\n",
				       path, stats->count, stats->total_ns, stats->lower_ns,
				       stats->upper_ns, stats->own_ns);
		g_assert_cmpuint(stats->samples, ==, (uint64_t)stats->own_ns);
		g_assert_cmpuint(stats->own_variance_us2, ==, 2 * (uint64_t)stats->own_ns);
	}
	g_assert_cmpstr(text->str, ==, wanted);
	itp_view_free(view);
}

/* p(160) > main 10 > { f 20 > g 30 > f 40, h 60 } */
static void set_example(struct fixture *fixture)
{
	calls(fixture, "p", 1, 0);
	calls(fixture, "p main", 1, 10);
	calls(fixture, "p main f", 2, 20);
	calls(fixture, "p main f g", 3, 30);
	calls(fixture, "p main f g f", 4, 40);
	calls(fixture, "p main h", 5, 60);
}

static void test_without_options_all_stays(struct fixture *fixture, gconstpointer data)
{
	(void)data;
	set_example(fixture);
	check_view(fixture, "p: 1 calls, 160 [154, 172], own 0\n"
			    "p main: 1 calls, 160 [155, 170], own 10\n"
			    "p main f: 2 calls, 90 [87, 96], own 20\n"
			    "p main f g: 3 calls, 70 [68, 74], own 30\n"
			    "p main f g f: 4 calls, 40 [39, 42], own 40\n"
			    "p main h: 5 calls, 60 [59, 62], own 60\n");
}

static void test_a_hidden_function_leaves_its_own_to_its_caller(struct fixture *fixture,
								gconstpointer data)
{
	(void)data;
	set_example(fixture);
	set_pattern(fixture, ITP_VIEW_HIDE, "^[gh]$");
	check_view(fixture, "p: 1 calls, 160 [154, 172], own 0\n"
			    "p main: 1 calls, 160 [155, 170], own 70\n"
			    "p main f: 2 calls, 90 [87, 96], own 50\n"
			    "p main f f: 4 calls, 40 [39, 42], own 40\n");
}

static void test_an_ignored_context_goes_out_of_its_callers(struct fixture *fixture,
							    gconstpointer data)
{
	(void)data;
	set_example(fixture);
	set_pattern(fixture, ITP_VIEW_IGNORE, "^g$");
	check_view(fixture, "p: 1 calls, 90 [80, 104], own 0\n"
			    "p main: 1 calls, 90 [81, 102], own 10\n"
			    "p main f: 2 calls, 20 [13, 28], own 20\n"
			    "p main h: 5 calls, 60 [59, 62], own 60\n");
}

static void test_callers_of_the_focus_stay_without_own_latency(struct fixture *fixture,
							       gconstpointer data)
{
	(void)data;
	set_example(fixture);
	set_pattern(fixture, ITP_VIEW_FOCUS, "^g$");
	check_view(fixture, "p: 1 calls, 70 [68, 74], own 0\n"
			    "p main: 1 calls, 70 [68, 74], own 0\n"
			    "p main f: 2 calls, 70 [68, 74], own 0\n"
			    "p main f g: 3 calls, 70 [68, 74], own 30\n"
			    "p main f g f: 4 calls, 40 [39, 42], own 40\n");
}

static void test_roots_merge_under_their_process(struct fixture *fixture, gconstpointer data)
{
	(void)data;
	set_example(fixture);
	calls(fixture, "p main h f", 1, 5);
	set_pattern(fixture, ITP_VIEW_ROOT, "^f$");
	check_view(fixture, "p: 1 calls, 95 [91, 103], own 0\n"
			    "p f: 3 calls, 95 [91, 103], own 25\n"
			    "p f g: 3 calls, 70 [68, 74], own 30\n"
			    "p f g f: 4 calls, 40 [39, 42], own 40\n");
}

static void test_what_is_deeper_goes_to_the_last_frame(struct fixture *fixture, gconstpointer data)
{
	(void)data;
	set_example(fixture);
	fixture->options.max_depth = 2;
	check_view(fixture, "p: 1 calls, 160 [154, 172], own 0\n"
			    "p main: 1 calls, 160 [155, 170], own 10\n"
			    "p main f: 2 calls, 90 [87, 96], own 90\n"
			    "p main h: 5 calls, 60 [59, 62], own 60\n");
}

static void test_direct_recursion_is_one_call(struct fixture *fixture, gconstpointer data)
{
	(void)data;
	calls(fixture, "p f", 1, 10);
	calls(fixture, "p f f", 2, 20);
	calls(fixture, "p f f f", 3, 30);
	calls(fixture, "p f f f g", 4, 40);
	calls(fixture, "p f f g", 5, 50);
	calls(fixture, "p f f g f", 6, 60);
	fixture->options.fold_recursion = true;
	check_view(fixture, "p: 0 calls, 210 [204, 222], own 0\n"
			    "p f: 1 calls, 210 [204, 222], own 60\n"
			    "p f g: 9 calls, 150 [147, 156], own 90\n"
			    "p f g f: 6 calls, 60 [59, 62], own 60\n");
}

static void slow_call(struct fixture *fixture, const char *path, int64_t latency_ns)
{
	const struct itp_slow_call call = { .node = node_at(fixture, path),
					    .latency_ns = latency_ns };

	calls(fixture, path, 1, latency_ns);
	itp_slowest_add(profile_at(fixture, 0)->slowest, &call);
}

static void test_slowest_calls_are_those_that_are_still_calls(struct fixture *fixture,
							      gconstpointer data)
{
	struct itp_view *view;
	const struct itp_slow_call *slowest;
	size_t count;

	(void)data;
	slow_call(fixture, "p f", 90);
	slow_call(fixture, "p f f", 80);
	slow_call(fixture, "p f g", 10);
	slow_call(fixture, "p f f g", 30);
	slow_call(fixture, "p f f h", 50);
	set_pattern(fixture, ITP_VIEW_IGNORE, "^h$");
	fixture->options.fold_recursion = true;
	view = view_new(fixture);
	for (uint32_t node = 1; node < itp_context_tree_size(view->tree); node++) {
		const struct itp_profile *profile = g_ptr_array_index(view->profiles, 0);
		g_autofree char *path = path_of(view->functions, view->tree, node);
		static const int64_t latencies_ns[][2] = { { 0, 0 }, { 90, 0 }, { 30, 10 } };
		size_t row = g_str_equal(path, "p f g") ? 2 : g_str_equal(path, "p f");

		slowest = itp_slowest_of_node(profile->slowest, node, &count);
		g_assert_cmpuint(count, ==, row);
		for (size_t i = 0; i < count; i++) {
			g_assert_cmpuint(slowest[i].node, ==, node);
			g_assert_cmpint(slowest[i].latency_ns, ==, latencies_ns[row][i]);
		}
	}
	itp_view_free(view);
}

static void test_hiding_comes_before_folding(struct fixture *fixture, gconstpointer data)
{
	(void)data;
	set_example(fixture);
	set_pattern(fixture, ITP_VIEW_HIDE, "^g$");
	fixture->options.fold_recursion = true;
	check_view(fixture, "p: 1 calls, 160 [154, 172], own 0\n"
			    "p main: 1 calls, 160 [155, 170], own 10\n"
			    "p main f: 2 calls, 90 [87, 96], own 90\n"
			    "p main h: 5 calls, 60 [59, 62], own 60\n");
}

static void test_siblings_of_one_name_merge(struct fixture *fixture, gconstpointer data)
{
	(void)data;
	calls(fixture, "p main.cold", 1, 10);
	calls(fixture, "p main", 2, 20);
	calls(fixture, "p main libz.so.1.2.13!inflate", 3, 30);
	calls(fixture, "p main libz.so.1.3.1!inflate.isra.0", 4, 40);
	calls(fixture, "p main libz.so.1.3.1!inflate.isra.0 crc", 5, 50);
	check_view(fixture, "p: 0 calls, 150 [145, 160], own 0\n"
			    "p main: 3 calls, 150 [145, 160], own 30\n"
			    "p main inflate: 7 calls, 120 [117, 126], own 70\n"
			    "p main inflate crc: 5 calls, 50 [49, 52], own 50\n");
}

static void test_a_part_of_its_caller_is_no_call(struct fixture *fixture, gconstpointer data)
{
	(void)data;
	calls(fixture, "p f", 1, 10);
	calls(fixture, "p f f.part.0", 2, 20);
	calls(fixture, "p f f.part.0 f.constprop.0", 3, 30);
	calls(fixture, "p g", 4, 40);
	calls(fixture, "p g f.part.0", 5, 50);
	check_view(fixture, "p: 0 calls, 150 [145, 160], own 0\n"
			    "p f: 1 calls, 60 [57, 66], own 30\n"
			    "p f f: 3 calls, 30 [29, 32], own 30\n"
			    "p g: 4 calls, 90 [88, 94], own 40\n"
			    "p g f: 5 calls, 50 [49, 52], own 50\n");
}

static void test_places_are_equal_in_one_build_only(struct fixture *fixture, gconstpointer data)
{
	(void)data;
	calls(fixture, "p main@aa", 1, 1);
	calls(fixture, "p main@bb", 2, 2);
	calls(fixture, "p main@aa +0x10@aa", 4, 4);
	calls(fixture, "p main@bb +0x10@bb", 8, 8);
	calls(fixture, "p main@bb +0x10@aa", 16, 16);
	check_view(fixture, "p: 0 calls, 31 [26, 41], own 0\n"
			    "p main: 3 calls, 31 [26, 41], own 3\n"
			    "p main +0x10: 20 calls, 20 [18, 24], own 20\n"
			    "p main +0x10: 8 calls, 8 [7, 10], own 8\n");
}

static void test_patterns_see_the_module_behind_an_exclamation_mark(struct fixture *fixture,
								    gconstpointer data)
{
	(void)data;
	calls(fixture, "p main", 1, 1);
	calls(fixture, "p main libz.so.1!inflate", 2, 2);
	calls(fixture, "p main libz_check", 4, 4);
	set_pattern(fixture, ITP_VIEW_IGNORE, "^libz[.]so.1!");
	check_view(fixture, "p: 0 calls, 5 [0, 12], own 0\n"
			    "p main: 1 calls, 5 [0, 12], own 1\n"
			    "p main libz_check: 4 calls, 4 [3, 6], own 4\n");
	itp_patterns_free((struct itp_patterns *)fixture->options.patterns[ITP_VIEW_IGNORE]);
	/* The marks of these are not meant for a module. */
	set_pattern(fixture, ITP_VIEW_IGNORE, "^(?!main)(?<!x)lib");
	check_view(fixture, "p: 0 calls, 3 [-2, 10], own 0\n"
			    "p main: 1 calls, 3 [-2, 10], own 1\n"
			    "p main inflate: 2 calls, 2 [1, 4], own 2\n");
}

static void test_the_workload_is_kept_and_says_how_it_is_seen(struct fixture *fixture,
							      gconstpointer data)
{
	struct itp_workload *workload = &profile_at(fixture, 1)->workload;
	struct itp_view *view;

	(void)data;
	set_example(fixture);
	g_free(workload->options);
	workload->options = g_strdup("estimate=best");
	workload->counts.events = 7;
	workload->complete = true;
	fixture->options.text = "max-depth=2";
	view = view_new(fixture);
	workload = &((struct itp_profile *)g_ptr_array_index(view->profiles, 1))->workload;
	g_assert_cmpstr(workload->name, ==, "two");
	g_assert_cmpstr(workload->options, ==, "estimate=best max-depth=2");
	g_assert_cmpuint(workload->counts.events, ==, 7);
	g_assert_true(workload->complete);
	itp_view_free(view);
}

static void check_failure(const struct fixture *fixture, const char *message)
{
	const struct itp_view_input input = input_of(fixture);
	g_autoptr(GError) error = NULL;

	g_assert_null(itp_view_new(&fixture->options, &input, &error));
	g_assert_cmpstr(error ? error->message : NULL, ==, message);
}

static void test_a_pattern_that_matches_nothing_is_an_error(struct fixture *fixture,
							    gconstpointer data)
{
	g_autoptr(GPtrArray) texts = g_ptr_array_new();

	(void)data;
	set_example(fixture);
	function(fixture, "unused", ITP_LAYER_USER);
	g_ptr_array_add(texts, (char *)"main");
	g_ptr_array_add(texts, (char *)"^(p|unused|.unknown.)$");
	fixture->options.patterns[ITP_VIEW_HIDE] = itp_patterns_new("hide", texts, NULL);
	check_failure(fixture, "parameter \"hide\": \"^(p|unused|.unknown.)$\" matches no "
			       "function of the inputs");
}

static void test_a_view_of_nothing_is_an_error(struct fixture *fixture, gconstpointer data)
{
	(void)data;
	set_example(fixture);
	set_pattern(fixture, ITP_VIEW_FOCUS, "^g$");
	set_pattern(fixture, ITP_VIEW_IGNORE, "^f$");
	check_failure(fixture, "parameters \"focus\", \"ignore\", \"hide\" and \"root\" together "
			       "leave no function of the inputs");
}

static void test_a_wrong_expression_is_an_error(void)
{
	g_autoptr(GPtrArray) texts = g_ptr_array_new();
	g_autoptr(GError) error = NULL;

	g_ptr_array_add(texts, (char *)"main");
	g_ptr_array_add(texts, (char *)"foo(");
	g_assert_null(itp_patterns_new("focus", texts, &error));
	g_assert_cmpstr(error ? error->message : NULL, ==,
			"parameter \"focus\": \"foo(\" is not a regular expression: missing "
			"terminating ) at character 5");
}

/* Random trees. */

#define LETTERS "abcd"

static void grow(struct fixture *fixture, GRand *random)
{
	int count = g_rand_int_range(random, 1, 60);

	while (count-- > 0) {
		uint32_t node = node_at(fixture, g_rand_boolean(random) ? "p" : "q");
		int depth = g_rand_int_range(random, 0, 9);

		while (depth-- > 0) {
			char name[2] = { LETTERS[g_rand_int_range(random, 0, 4)] };

			node = itp_context_tree_child(fixture->tree, node,
						      function(fixture, name, ITP_LAYER_USER));
			add_calls(fixture, g_rand_int_range(random, 0, 2), node,
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
	g_autofree char *path = path_of(functions, tree, node);
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
static GHashTable *expected_own(const struct fixture *fixture, const struct plan *plan, guint index)
{
	GHashTable *sums = sums_new();

	for (uint32_t node = 1; node < itp_context_tree_size(fixture->tree); node++) {
		g_autofree char *letters = letters_of(fixture->functions, fixture->tree, node);
		g_autofree char *frames = view_path(plan, letters + 2);

		if (frames) {
			g_autofree char *key = g_strdup_printf("%c:%s", letters[0], frames);

			add_to(sums, key,
			       itp_profile_peek(profile_at(fixture, index), node)->own_ns);
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
static void check_merge(const struct fixture *fixture, const struct itp_view *view)
{
	g_autoptr(GPtrArray) sums =
		g_ptr_array_new_with_free_func((GDestroyNotify)itp_profile_free);
	struct itp_profile *sum_of_views = merged(view->profiles);
	struct itp_view_input input = input_of(fixture);
	struct itp_view *view_of_sum;

	g_ptr_array_add(sums, merged(fixture->profiles));
	input.profiles = sums;
	input.takes = true;
	view_of_sum = itp_view_new(&fixture->options, &input, NULL);
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
	struct fixture fixture;
	struct plan plan;
	struct itp_view_input input;
	struct itp_view *view;

	set_up(&fixture, NULL);
	grow(&fixture, random);
	plan_init(&plan, random);
	fixture.options.fold_recursion = plan.fold_recursion;
	fixture.options.max_depth = plan.max_depth;
	for (size_t i = 0; i < ITP_VIEW_PATTERN_COUNT; i++) {
		if (plan.patterns[i]) {
			set_pattern(&fixture, (enum itp_view_pattern)i, plan.patterns[i]);
		}
	}
	input = input_of(&fixture);
	view = itp_view_new(&fixture.options, &input, NULL);
	for (guint i = 0; view && i < fixture.profiles->len; i++) {
		g_autoptr(GHashTable) expected = expected_own(&fixture, &plan, i);

		check_own(view, i, expected);
		check_sums(view, i);
	}
	if (view) {
		check_merge(&fixture, view);
	}
	plan_release(&plan);
	tear_down(&fixture, NULL);
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

static void add(const char *name, void (*test)(struct fixture *, gconstpointer))
{
	g_autofree char *path = g_strdup_printf("/view/%s", name);

	g_test_add(path, struct fixture, NULL, set_up, test, tear_down);
}

int main(int argc, char **argv)
{
	g_test_init(&argc, &argv, NULL);
	g_test_set_nonfatal_assertions();
	add("without options all stays", test_without_options_all_stays);
	add("a hidden function leaves its own to its caller",
	    test_a_hidden_function_leaves_its_own_to_its_caller);
	add("an ignored context goes out of its callers",
	    test_an_ignored_context_goes_out_of_its_callers);
	add("callers of the focus stay without own latency",
	    test_callers_of_the_focus_stay_without_own_latency);
	add("roots merge under their process", test_roots_merge_under_their_process);
	add("what is deeper goes to the last frame", test_what_is_deeper_goes_to_the_last_frame);
	add("direct recursion is one call", test_direct_recursion_is_one_call);
	add("slowest calls are those that are still calls",
	    test_slowest_calls_are_those_that_are_still_calls);
	add("hiding comes before folding", test_hiding_comes_before_folding);
	add("siblings of one name merge", test_siblings_of_one_name_merge);
	add("a part of its caller is no call", test_a_part_of_its_caller_is_no_call);
	add("places are equal in one build only", test_places_are_equal_in_one_build_only);
	add("patterns see the module behind an exclamation mark",
	    test_patterns_see_the_module_behind_an_exclamation_mark);
	add("the workload is kept and says how it is seen",
	    test_the_workload_is_kept_and_says_how_it_is_seen);
	add("a pattern that matches nothing is an error",
	    test_a_pattern_that_matches_nothing_is_an_error);
	add("a view of nothing is an error", test_a_view_of_nothing_is_an_error);
	g_test_add_func("/view/a wrong expression is an error",
			test_a_wrong_expression_is_an_error);
	g_test_add_func("/view/random trees are looked at as their paths are",
			test_random_trees_are_looked_at_as_their_paths_are);
	return g_test_run();
}
