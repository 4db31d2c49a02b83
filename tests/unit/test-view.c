/* SPDX-License-Identifier: MIT */
/*
 * Views of trees that were written down. Those of random ones are test-view-random.c's.
 */
#include "tests/unit/view-scene.h"

static void calls(struct view_scene *scene, const char *path, uint64_t count, int64_t own_ns)
{
	view_scene_add_calls(scene, 0, view_scene_node(scene, path), count, own_ns);
}

static struct itp_view *view_new(const struct view_scene *scene)
{
	GError *error = NULL;
	const struct itp_view_input input = view_scene_input(scene);
	struct itp_view *view = itp_view_new(&scene->options, &input, &error);

	g_assert_no_error(error);
	return view;
}

/* A line for each node: "PATH: COUNT calls, TOTAL [LOWER, UPPER], own OWN". */
static void check_view(const struct view_scene *scene, const char *wanted)
{
	struct itp_view *view = view_new(scene);
	const struct itp_profile *profile = g_ptr_array_index(view->profiles, 0);
	g_autoptr(GString) text = g_string_new(NULL);

	for (uint32_t node = 1; node < itp_context_tree_size(view->tree); node++) {
		const struct itp_node_stats *stats = itp_profile_peek(profile, node);
		g_autofree char *path = view_scene_path(view->functions, view->tree, node);

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
static void set_example(struct view_scene *scene)
{
	calls(scene, "p", 1, 0);
	calls(scene, "p main", 1, 10);
	calls(scene, "p main f", 2, 20);
	calls(scene, "p main f g", 3, 30);
	calls(scene, "p main f g f", 4, 40);
	calls(scene, "p main h", 5, 60);
}

static void test_without_options_all_stays(struct view_scene *scene, gconstpointer data)
{
	(void)data;
	set_example(scene);
	check_view(scene, "p: 1 calls, 160 [154, 172], own 0\n"
			  "p main: 1 calls, 160 [155, 170], own 10\n"
			  "p main f: 2 calls, 90 [87, 96], own 20\n"
			  "p main f g: 3 calls, 70 [68, 74], own 30\n"
			  "p main f g f: 4 calls, 40 [39, 42], own 40\n"
			  "p main h: 5 calls, 60 [59, 62], own 60\n");
}

static void test_a_hidden_function_leaves_its_own_to_its_caller(struct view_scene *scene,
								gconstpointer data)
{
	(void)data;
	set_example(scene);
	view_scene_set_pattern(scene, ITP_VIEW_HIDE, "^[gh]$");
	check_view(scene, "p: 1 calls, 160 [154, 172], own 0\n"
			  "p main: 1 calls, 160 [155, 170], own 70\n"
			  "p main f: 2 calls, 90 [87, 96], own 50\n"
			  "p main f f: 4 calls, 40 [39, 42], own 40\n");
}

static void test_an_ignored_context_goes_out_of_its_callers(struct view_scene *scene,
							    gconstpointer data)
{
	(void)data;
	set_example(scene);
	view_scene_set_pattern(scene, ITP_VIEW_IGNORE, "^g$");
	check_view(scene, "p: 1 calls, 90 [80, 104], own 0\n"
			  "p main: 1 calls, 90 [81, 102], own 10\n"
			  "p main f: 2 calls, 20 [13, 28], own 20\n"
			  "p main h: 5 calls, 60 [59, 62], own 60\n");
}

static void test_callers_of_the_focus_stay_without_own_latency(struct view_scene *scene,
							       gconstpointer data)
{
	(void)data;
	set_example(scene);
	view_scene_set_pattern(scene, ITP_VIEW_FOCUS, "^g$");
	check_view(scene, "p: 1 calls, 70 [68, 74], own 0\n"
			  "p main: 1 calls, 70 [68, 74], own 0\n"
			  "p main f: 2 calls, 70 [68, 74], own 0\n"
			  "p main f g: 3 calls, 70 [68, 74], own 30\n"
			  "p main f g f: 4 calls, 40 [39, 42], own 40\n");
}

static void test_roots_merge_under_their_process(struct view_scene *scene, gconstpointer data)
{
	(void)data;
	set_example(scene);
	calls(scene, "p main h f", 1, 5);
	view_scene_set_pattern(scene, ITP_VIEW_ROOT, "^f$");
	check_view(scene, "p: 1 calls, 95 [91, 103], own 0\n"
			  "p f: 3 calls, 95 [91, 103], own 25\n"
			  "p f g: 3 calls, 70 [68, 74], own 30\n"
			  "p f g f: 4 calls, 40 [39, 42], own 40\n");
}

static void test_what_is_deeper_goes_to_the_last_frame(struct view_scene *scene, gconstpointer data)
{
	(void)data;
	set_example(scene);
	scene->options.max_depth = 2;
	check_view(scene, "p: 1 calls, 160 [154, 172], own 0\n"
			  "p main: 1 calls, 160 [155, 170], own 10\n"
			  "p main f: 2 calls, 90 [87, 96], own 90\n"
			  "p main h: 5 calls, 60 [59, 62], own 60\n");
}

/* Code without a name that a process made, compared with that of another process: one function. */
static void test_made_code_is_one_function(struct view_scene *scene, gconstpointer data)
{
	const bool is_base[] = { false, true };
	struct itp_view_input input = view_scene_input(scene);
	GError *error = NULL;
	struct itp_view *view;
	g_autoptr(GString) text = g_string_new(NULL);

	(void)data;
	calls(scene, "p [anon]!+0x10", 1, 10);
	calls(scene, "p [anon]!+0x10 [anon]!+0x20", 2, 20);
	calls(scene, "p [anon]!+0x10 [anon]!+0x20 libz.so.1!inflate", 3, 30);
	calls(scene, "p [anon]!+0x30 libz.so.1!inflate", 4, 40);
	check_view(scene, "p: 0 calls, 100 [96, 108], own 0\n"
			  "p +0x10: 1 calls, 60 [57, 66], own 10\n"
			  "p +0x10 +0x20: 2 calls, 50 [48, 54], own 20\n"
			  "p +0x10 +0x20 inflate: 3 calls, 30 [29, 32], own 30\n"
			  "p +0x30: 0 calls, 40 [39, 42], own 0\n"
			  "p +0x30 inflate: 4 calls, 40 [39, 42], own 40\n");
	input.is_base = is_base;
	view = itp_view_new(&scene->options, &input, &error);
	g_assert_no_error(error);
	for (uint32_t node = 1; node < itp_context_tree_size(view->tree); node++) {
		const struct itp_node_stats *stats =
			itp_profile_peek(g_ptr_array_index(view->profiles, 0), node);
		g_autofree char *path = view_scene_path(view->functions, view->tree, node);

		g_string_append_printf(text, "%s: %d\n", path, (int)stats->own_ns);
	}
	g_assert_cmpstr(text->str, ==,
			"p: 0\n"
			"p [made code]: 30\n"
			"p [made code] inflate: 70\n");
	itp_view_free(view);
}

static void test_direct_recursion_is_one_call(struct view_scene *scene, gconstpointer data)
{
	(void)data;
	calls(scene, "p f", 1, 10);
	calls(scene, "p f f", 2, 20);
	calls(scene, "p f f f", 3, 30);
	calls(scene, "p f f f g", 4, 40);
	calls(scene, "p f f g", 5, 50);
	calls(scene, "p f f g f", 6, 60);
	scene->options.fold_recursion = true;
	check_view(scene, "p: 0 calls, 210 [204, 222], own 0\n"
			  "p f: 1 calls, 210 [204, 222], own 60\n"
			  "p f g: 9 calls, 150 [147, 156], own 90\n"
			  "p f g f: 6 calls, 60 [59, 62], own 60\n");
}

static void slow_call(struct view_scene *scene, const char *path, int64_t latency_ns)
{
	const struct itp_slow_call call = { .node = view_scene_node(scene, path),
					    .latency_ns = latency_ns };

	calls(scene, path, 1, latency_ns);
	itp_slowest_add(view_scene_profile(scene, 0)->slowest, &call);
}

static void test_slowest_calls_are_those_that_are_still_calls(struct view_scene *scene,
							      gconstpointer data)
{
	struct itp_view *view;
	const struct itp_slow_call *slowest;
	size_t count;

	(void)data;
	slow_call(scene, "p f", 90);
	slow_call(scene, "p f f", 80);
	slow_call(scene, "p f g", 10);
	slow_call(scene, "p f f g", 30);
	slow_call(scene, "p f f h", 50);
	view_scene_set_pattern(scene, ITP_VIEW_IGNORE, "^h$");
	scene->options.fold_recursion = true;
	view = view_new(scene);
	for (uint32_t node = 1; node < itp_context_tree_size(view->tree); node++) {
		const struct itp_profile *profile = g_ptr_array_index(view->profiles, 0);
		g_autofree char *path = view_scene_path(view->functions, view->tree, node);
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

static void test_hiding_comes_before_folding(struct view_scene *scene, gconstpointer data)
{
	(void)data;
	set_example(scene);
	view_scene_set_pattern(scene, ITP_VIEW_HIDE, "^g$");
	scene->options.fold_recursion = true;
	check_view(scene, "p: 1 calls, 160 [154, 172], own 0\n"
			  "p main: 1 calls, 160 [155, 170], own 10\n"
			  "p main f: 2 calls, 90 [87, 96], own 90\n"
			  "p main h: 5 calls, 60 [59, 62], own 60\n");
}

static void test_siblings_of_one_name_merge(struct view_scene *scene, gconstpointer data)
{
	(void)data;
	calls(scene, "p main.cold", 1, 10);
	calls(scene, "p main", 2, 20);
	calls(scene, "p main libz.so.1.2.13!inflate", 3, 30);
	calls(scene, "p main libz.so.1.3.1!inflate.isra.0", 4, 40);
	calls(scene, "p main libz.so.1.3.1!inflate.isra.0 crc", 5, 50);
	check_view(scene, "p: 0 calls, 150 [145, 160], own 0\n"
			  "p main: 3 calls, 150 [145, 160], own 30\n"
			  "p main inflate: 7 calls, 120 [117, 126], own 70\n"
			  "p main inflate crc: 5 calls, 50 [49, 52], own 50\n");
}

static void test_a_part_of_its_caller_is_no_call(struct view_scene *scene, gconstpointer data)
{
	(void)data;
	calls(scene, "p f", 1, 10);
	calls(scene, "p f f.part.0", 2, 20);
	calls(scene, "p f f.part.0 f.constprop.0", 3, 30);
	calls(scene, "p g", 4, 40);
	calls(scene, "p g f.part.0", 5, 50);
	check_view(scene, "p: 0 calls, 150 [145, 160], own 0\n"
			  "p f: 1 calls, 60 [57, 66], own 30\n"
			  "p f f: 3 calls, 30 [29, 32], own 30\n"
			  "p g: 4 calls, 90 [88, 94], own 40\n"
			  "p g f: 5 calls, 50 [49, 52], own 50\n");
}

static void call_from_main(struct view_scene *scene, const char *function, uint64_t count,
			   int64_t own_ns)
{
	const uint32_t node =
		itp_context_tree_child(scene->tree, view_scene_node(scene, "p main"),
				       view_scene_function(scene, function, ITP_LAYER_USER));

	view_scene_add_calls(scene, 0, node, count, own_ns);
}

static bool is_inlined(const struct itp_view *view, const char *name)
{
	for (uint32_t id = 0; id < itp_function_table_size(view->functions); id++) {
		const struct itp_function *function = itp_function_table_get(view->functions, id);

		if (g_str_equal(function->name, name)) {
			return function->is_inlined;
		}
	}
	g_assert_not_reached();
}

static void test_an_inlined_function_is_the_called_one(struct view_scene *scene, gconstpointer data)
{
	const struct itp_view_input input = view_scene_input(scene);
	struct itp_view *view;

	(void)data;
	call_from_main(scene, "take(int) (inlined)", 1, 10);
	call_from_main(scene, "take(int)", 2, 20);
	call_from_main(scene, "put (inlined)", 3, 30);
	/* Debug data tell no arguments of static functions. */
	call_from_main(scene, "shop::hide(long)", 1, 1);
	call_from_main(scene, "shop::hide (inlined)", 2, 2);
	view = itp_view_new(&scene->options, &input, NULL);
	g_assert_nonnull(view);
	g_assert_false(is_inlined(view, "take(int)"));
	g_assert_true(is_inlined(view, "put"));
	g_assert_false(is_inlined(view, "shop::hide(long)"));
	g_assert_false(is_inlined(view, "main"));
	itp_view_free(view);
	check_view(scene, "p: 0 calls, 63 [58, 73], own 0\n"
			  "p main: 0 calls, 63 [58, 73], own 0\n"
			  "p main take(int): 3 calls, 30 [28, 34], own 30\n"
			  "p main put: 3 calls, 30 [29, 32], own 30\n"
			  "p main shop::hide(long): 3 calls, 3 [1, 7], own 3\n");
}

static void test_places_are_equal_in_one_build_only(struct view_scene *scene, gconstpointer data)
{
	(void)data;
	calls(scene, "p main@aa", 1, 1);
	calls(scene, "p main@bb", 2, 2);
	calls(scene, "p main@aa +0x10@aa", 4, 4);
	calls(scene, "p main@bb +0x10@bb", 8, 8);
	calls(scene, "p main@bb +0x10@aa", 16, 16);
	check_view(scene, "p: 0 calls, 31 [26, 41], own 0\n"
			  "p main: 3 calls, 31 [26, 41], own 3\n"
			  "p main +0x10: 20 calls, 20 [18, 24], own 20\n"
			  "p main +0x10: 8 calls, 8 [7, 10], own 8\n");
}

static void test_patterns_see_the_module_behind_an_exclamation_mark(struct view_scene *scene,
								    gconstpointer data)
{
	(void)data;
	calls(scene, "p main", 1, 1);
	calls(scene, "p main libz.so.1!inflate", 2, 2);
	calls(scene, "p main libz_check", 4, 4);
	view_scene_set_pattern(scene, ITP_VIEW_IGNORE, "^libz[.]so.1!");
	check_view(scene, "p: 0 calls, 5 [0, 12], own 0\n"
			  "p main: 1 calls, 5 [0, 12], own 1\n"
			  "p main libz_check: 4 calls, 4 [3, 6], own 4\n");
	itp_patterns_free((struct itp_patterns *)scene->options.patterns[ITP_VIEW_IGNORE]);
	/* The marks of these are not meant for a module. */
	view_scene_set_pattern(scene, ITP_VIEW_IGNORE, "^(?!main)(?<!x)lib");
	check_view(scene, "p: 0 calls, 3 [-2, 10], own 0\n"
			  "p main: 1 calls, 3 [-2, 10], own 1\n"
			  "p main inflate: 2 calls, 2 [1, 4], own 2\n");
}

static void test_the_workload_is_kept_and_says_how_it_is_seen(struct view_scene *scene,
							      gconstpointer data)
{
	struct itp_workload *workload = &view_scene_profile(scene, 1)->workload;
	struct itp_view *view;

	(void)data;
	set_example(scene);
	g_free(workload->options);
	workload->options = g_strdup("estimate=best");
	workload->counts.events = 7;
	workload->complete = true;
	scene->options.text = "max-depth=2";
	view = view_new(scene);
	workload = &((struct itp_profile *)g_ptr_array_index(view->profiles, 1))->workload;
	g_assert_cmpstr(workload->name, ==, "two");
	g_assert_cmpstr(workload->options, ==, "estimate=best max-depth=2");
	g_assert_cmpuint(workload->counts.events, ==, 7);
	g_assert_true(workload->complete);
	itp_view_free(view);
}

static void check_failure(const struct view_scene *scene, const char *message)
{
	const struct itp_view_input input = view_scene_input(scene);
	g_autoptr(GError) error = NULL;

	g_assert_null(itp_view_new(&scene->options, &input, &error));
	g_assert_cmpstr(error ? error->message : NULL, ==, message);
}

static void test_contexts_of_other_processes_are_left_out(struct view_scene *scene,
							  gconstpointer data)
{
	g_autoptr(GPtrArray) processes = g_ptr_array_new();
	struct itp_view *view;

	(void)data;
	calls(scene, "worker/1 main", 1, 7);
	calls(scene, "worker/2 main", 1, 20);
	calls(scene, "other main", 1, 300);
	g_ptr_array_add(processes, (char *)"worker/?");
	scene->options.processes = processes;
	view = view_new(scene);
	/* The root, and two processes with a function each. */
	g_assert_cmpuint(itp_context_tree_size(view->tree), ==, 5);
	g_assert_cmpint(itp_profile_peek(g_ptr_array_index(view->profiles, 0), 1)->total_ns, ==, 7);
	g_assert_cmpint(itp_profile_peek(g_ptr_array_index(view->profiles, 0), 3)->total_ns, ==,
			20);
	itp_view_free(view);
}

static void test_a_process_that_is_not_there_is_an_error(struct view_scene *scene,
							 gconstpointer data)
{
	g_autoptr(GPtrArray) processes = g_ptr_array_new();

	(void)data;
	set_example(scene);
	g_ptr_array_add(processes, (char *)"main");
	scene->options.processes = processes;
	check_failure(scene, "parameter \"process\": \"main\" is no process of the inputs; there "
			     "are p");
}

static void test_a_pattern_that_matches_nothing_is_an_error(struct view_scene *scene,
							    gconstpointer data)
{
	g_autoptr(GPtrArray) texts = g_ptr_array_new();

	(void)data;
	set_example(scene);
	view_scene_function(scene, "unused", ITP_LAYER_USER);
	g_ptr_array_add(texts, (char *)"main");
	g_ptr_array_add(texts, (char *)"^(p|unused|.unknown.)$");
	scene->options.patterns[ITP_VIEW_HIDE] = itp_patterns_new("hide", texts, NULL);
	check_failure(scene, "parameter \"hide\": \"^(p|unused|.unknown.)$\" matches no "
			     "function of the inputs");
}

static void test_a_view_of_nothing_is_an_error(struct view_scene *scene, gconstpointer data)
{
	(void)data;
	set_example(scene);
	view_scene_set_pattern(scene, ITP_VIEW_FOCUS, "^g$");
	view_scene_set_pattern(scene, ITP_VIEW_IGNORE, "^f$");
	check_failure(scene, "parameters \"process\", \"focus\", \"ignore\", \"hide\" and \"root\" "
			     "together leave no function of the inputs");
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

/* Calls in a module of these builds, in the suspect of an inlined function, in the base of
 * `called`. */
static bool shows_inlined(struct view_scene *scene, const char *build, const char *base_build,
			  const char *called)
{
	g_autofree char *path = g_strconcat("p main ", called, NULL);
	bool is_base[] = { false, true };
	struct itp_view_input input;
	struct itp_view *view;
	bool is_shown = false;

	g_ptr_array_add(scene->profiles, itp_profile_new("base"));
	call_from_main(scene, "put (inlined)", 3, 30);
	view_scene_add_calls(scene, 1, view_scene_node(scene, path), 1, 10);
	itp_function_table_tell_build(scene->functions,
				      view_scene_function(scene, "put (inlined)", ITP_LAYER_USER),
				      build);
	itp_function_table_tell_build(
		scene->functions, view_scene_function(scene, called, ITP_LAYER_USER), base_build);
	input = view_scene_input(scene);
	input.is_base = is_base;
	view = itp_view_new(&scene->options, &input, NULL);
	g_assert_nonnull(view);
	for (uint32_t node = 1; node < itp_context_tree_size(view->tree); node++) {
		const uint32_t id = itp_context_tree_get(view->tree, node)->function;

		is_shown |= g_str_equal(itp_function_table_get(view->functions, id)->name, "put") &&
			    itp_profile_peek(g_ptr_array_index(view->profiles, 0), node)->own_ns ==
				    30;
	}
	itp_view_free(view);
	return is_shown;
}

static void test_the_same_build_may_inline_no_more(struct view_scene *scene, gconstpointer data)
{
	(void)data;
	g_assert_true(shows_inlined(scene, "ab12", "ab12", "get"));
}

/* Built without inlining: the same is called there. */
static void test_a_function_that_the_other_build_calls_stays(struct view_scene *scene,
							     gconstpointer data)
{
	(void)data;
	g_assert_true(shows_inlined(scene, "ab12", "cd34", "put"));
}

/* The other build has no debug data, and its paths no such function. */
static void test_without_debug_data_inlined_functions_are_their_callers(struct view_scene *scene,
									gconstpointer data)
{
	(void)data;
	g_assert_false(shows_inlined(scene, "ab12", "cd34", "get"));
}

static void add(const char *name, void (*test)(struct view_scene *, gconstpointer))
{
	g_autofree char *path = g_strdup_printf("/view/%s", name);

	g_test_add(path, struct view_scene, NULL, view_scene_set_up, test, view_scene_tear_down);
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
	add("an inlined function is the called one", test_an_inlined_function_is_the_called_one);
	add("the same build may inline no more", test_the_same_build_may_inline_no_more);
	add("a function that the other build calls stays",
	    test_a_function_that_the_other_build_calls_stays);
	add("without debug data inlined functions are their callers",
	    test_without_debug_data_inlined_functions_are_their_callers);
	add("places are equal in one build only", test_places_are_equal_in_one_build_only);
	add("patterns see the module behind an exclamation mark",
	    test_patterns_see_the_module_behind_an_exclamation_mark);
	add("the workload is kept and says how it is seen",
	    test_the_workload_is_kept_and_says_how_it_is_seen);
	add("a pattern that matches nothing is an error",
	    test_a_pattern_that_matches_nothing_is_an_error);
	add("contexts of other processes are left out",
	    test_contexts_of_other_processes_are_left_out);
	add("a process that is not there is an error",
	    test_a_process_that_is_not_there_is_an_error);
	add("made code is one function", test_made_code_is_one_function);
	add("a view of nothing is an error", test_a_view_of_nothing_is_an_error);
	g_test_add_func("/view/a wrong expression is an error",
			test_a_wrong_expression_is_an_error);
	return g_test_run();
}
