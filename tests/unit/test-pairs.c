/* SPDX-License-Identifier: MIT */
/* What is one under two names, and what is not, on stacks that were written by hand. */
#include "common/view/pair-parts.h"
#include "common/view/renamed.h"
#include "tests/unit/comparison.h"

static void suspect(struct comparison *comparison, const char *stack)
{
	comparison_set(comparison, comparison->suspect[0], stack, 1, 10);
}

static void base(struct comparison *comparison, const char *stack)
{
	comparison_set(comparison, comparison->base[0], stack, 1, 10);
}

/* A name is the same in all builds. Members are owned by the result. */
static struct itp_pair_input input_of(const struct comparison *comparison)
{
	uint32_t node_count = itp_context_tree_size(comparison->tree);
	uint32_t function_count = itp_function_table_size(comparison->functions);
	uint8_t *sides = g_new0(uint8_t, node_count);
	/* As many again may become known by this. */
	uint32_t *renamed = g_new(uint32_t, 2 * function_count);

	for (uint32_t id = 0; id < function_count; id++) {
		struct itp_function function = *itp_function_table_get(comparison->functions, id);

		function.build_id = function.is_unnamed ? function.build_id : "";
		renamed[id] = itp_function_table_intern(comparison->functions, &function);
		renamed[renamed[id]] = renamed[id];
	}
	for (uint32_t node = 1; node < node_count; node++) {
		const struct itp_node_stats *good = itp_profile_peek(comparison->base[0], node);
		const struct itp_node_stats *slow = itp_profile_peek(comparison->suspect[0], node);

		sides[node] = (itp_node_stats_is_present(good) ? ITP_PAIR_BASE : 0) |
			      (itp_node_stats_is_present(slow) ? ITP_PAIR_SUSPECT : 0);
	}
	return (struct itp_pair_input){ .tree = comparison->tree,
					.recorded = comparison->functions,
					.functions = comparison->functions,
					.renamed = renamed,
					.sides = sides };
}

static void input_release(struct itp_pair_input *input)
{
	g_free((uint8_t *)input->sides);
	g_free((uint32_t *)input->renamed);
}

static GArray *find(const struct comparison *comparison, const char *rule, GError **error)
{
	struct itp_pair_input input = input_of(comparison);
	g_autoptr(GPtrArray) named = g_ptr_array_new();
	const struct itp_pair_rules rules = { .named = rule ? named : NULL };
	GArray *pairs;

	g_ptr_array_add(named, (gpointer)rule);
	pairs = itp_pairs_find(&rules, &input, error);
	input_release(&input);
	return pairs;
}

/* Checks all pairs, as "program job-1.7=job-1.8 by name". */
static void check(const struct comparison *comparison, const char *rule, const char *expected)
{
	g_autoptr(GError) error = NULL;
	g_autoptr(GArray) pairs = find(comparison, rule, &error);
	g_autoptr(GString) text = g_string_new(NULL);

	g_assert_no_error(error);
	for (guint i = 0; pairs && i < pairs->len; i++) {
		const struct itp_pair *pair = &g_array_index(pairs, struct itp_pair, i);

		g_string_append_printf(text, "%s%s %s=%s by %s", i > 0 ? ", " : "",
				       itp_pair_kind_names[pair->kind], pair->base, pair->suspect,
				       itp_pair_reason_names[pair->reason]);
	}
	g_assert_cmpstr(text->str, ==, expected);
}

static void test_versions_are_one(struct comparison *comparison, gconstpointer data)
{
	(void)data;
	base(comparison, "job-1.7: job-1.7!main job-1.7!run libjob-1.so!scan");
	suspect(comparison, "job-1.8: job-1.8!main job-1.8!run job-1.8!check libjob-2.so!scan");
	check(comparison, NULL,
	      "program job-1.7=job-1.8 by name, module job-1.7=job-1.8 by name, "
	      "module libjob-1.so=libjob-2.so by name");
	check(comparison, "none", "");
}

/* As many as there are, but nobody knows which is which. */
static void test_two_of_one_name_are_none(struct comparison *comparison, gconstpointer data)
{
	(void)data;
	base(comparison, "job-1.7: job-1.7!main job-1.7!run");
	suspect(comparison, "job-1.8: job-1.8!main job-1.8!run");
	suspect(comparison, "job-1.9: job-1.9!main job-1.9!run");
	check(comparison, NULL, "");
	check(comparison, "job-1.7=job-1.9",
	      "program job-1.7=job-1.9 by user, module job-1.7=job-1.9 by user");
	/* The other way round, too. */
	check(comparison, "job-1.9=job-1.7",
	      "program job-1.7=job-1.9 by user, module job-1.7=job-1.9 by user");
}

static void test_what_is_renamed_is_known_by_its_functions(struct comparison *comparison,
							   gconstpointer data)
{
	(void)data;
	base(comparison, "server: server!main server!accept server!read server!parse");
	base(comparison, "server: server!main server!accept server!answer");
	suspect(comparison, "daemon: daemon!main daemon!accept daemon!read daemon!parse");
	suspect(comparison, "daemon: daemon!main daemon!accept daemon!answer daemon!compress");
	check(comparison, NULL,
	      "program server=daemon by functions, module server=daemon by functions");
}

/* They have a library and the names that every program has. */
static void test_programs_with_the_same_libraries_are_two(struct comparison *comparison,
							  gconstpointer data)
{
	(void)data;
	base(comparison, "sort: sort!_start sort!main sort!compare libc.so.6!strcoll");
	suspect(comparison, "uniq: uniq!_start uniq!main uniq!differ libc.so.6!strcoll");
	check(comparison, NULL, "");
	/* Nor do names help that are much the same. */
	base(comparison, "tool-1: tool-1!main tool-1!sort libc.so.6!strcoll");
	suspect(comparison, "tool-2: tool-2!main tool-2!print libc.so.6!strcoll");
	check(comparison, NULL, "");
}

static void set_module(struct comparison *comparison, struct itp_profile *profile,
		       const struct itp_function *function)
{
	const struct itp_function process = {
		.name = "app", .module = "", .build_id = "", .layer = ITP_LAYER_PROCESS
	};
	uint32_t root =
		itp_context_tree_child(comparison->tree, ITP_CONTEXT_ROOT,
				       itp_function_table_intern(comparison->functions, &process));
	uint32_t node = itp_context_tree_child(
		comparison->tree, root, itp_function_table_intern(comparison->functions, function));

	itp_profile_node(profile, root)->count = 1;
	itp_profile_node(profile, node)->count = 1;
}

static void test_a_build_id_is_enough(struct comparison *comparison, gconstpointer data)
{
	struct itp_function function = { .name = "filter",
					 .module = "blur.so",
					 .build_id = "0123abcd" };

	(void)data;
	set_module(comparison, comparison->base[0], &function);
	function.module = "soft.so";
	set_module(comparison, comparison->suspect[0], &function);
	check(comparison, NULL, "module blur.so=soft.so by build id");
}

/* Places in one build say nothing of another, and a program that is none of its code is known by
 * nothing else. */
static void test_without_names_nothing_is_paired(struct comparison *comparison, gconstpointer data)
{
	struct itp_function function = {
		.name = "job-1.7+0x10c0", .module = "job-1.7", .build_id = "aa", .is_unnamed = true
	};

	(void)data;
	set_module(comparison, comparison->base[0], &function);
	function = (struct itp_function){ .name = "run", .module = "job-1.8", .build_id = "bb" };
	set_module(comparison, comparison->suspect[0], &function);
	check(comparison, NULL, "");
}

/* Two copies of one script: nothing of it but its name is in the stacks. */
static void test_scripts_are_run_by_one_file(struct comparison *comparison, gconstpointer data)
{
	(void)data;
	base(comparison, "app: python3!main python3!eval");
	suspect(comparison, "app.old: python3!main python3!eval");
	base(comparison, "other: python3!main python3!eval");
	check(comparison, NULL, "program app=app.old by name");
}

static void test_what_is_not_there_cannot_be_one(struct comparison *comparison, gconstpointer data)
{
	g_autoptr(GError) error = NULL;

	(void)data;
	base(comparison, "job-1.7: job-1.7!main");
	suspect(comparison, "job-1.8: job-1.8!main");
	g_assert_null(find(comparison, "job-1.7=job-1.9", &error));
	g_assert_cmpstr(error ? error->message : NULL, ==,
			"parameter \"pair\": no program or module is called \"job-1.7\" in one "
			"workload and \"job-1.9\" in the other; names in one alone: job-1.7 "
			"(base); job-1.8 (suspect)");
	g_clear_error(&error);
	g_assert_null(find(comparison, "job-1.7", &error));
	g_assert_cmpstr(error ? error->message : NULL, ==,
			"parameter \"pair\": \"job-1.7\" is neither BASE=SUSPECT, two names of a "
			"program or a module, nor \"none\"");
}

/* ---- Functions ---- */

/* Checks the functions that are one where libjob.so has these build ids in base and suspect, as
 * "parse=read by functions". */
static void check_renamed(struct comparison *comparison, const char *base_id,
			  const char *suspect_id, const char *expected)
{
	struct itp_function function = { .name = "begin", .module = "libjob.so" };
	g_autoptr(GArray) pairs = g_array_new(FALSE, FALSE, sizeof(struct itp_pair));
	g_autoptr(GArray) found = NULL;
	g_autoptr(GString) text = g_string_new(NULL);
	struct itp_pair_input input;

	function.build_id = base_id;
	set_module(comparison, comparison->base[0], &function);
	function.build_id = suspect_id;
	set_module(comparison, comparison->suspect[0], &function);
	input = input_of(comparison);
	found = itp_renamed_find(&input, pairs);
	for (guint i = 0; i < found->len; i++) {
		const struct itp_renaming *renaming = &g_array_index(found, struct itp_renaming, i);

		g_string_append_printf(
			text, "%s%s=%s by %s", i > 0 ? ", " : "",
			itp_function_table_get(comparison->functions, renaming->base)->name,
			itp_function_table_get(comparison->functions, renaming->suspect)->name,
			itp_pair_reason_names[renaming->reason]);
	}
	input_release(&input);
	g_assert_cmpstr(text->str, ==, expected);
}

static void test_what_surrounds_it_tells_a_function(struct comparison *comparison,
						    gconstpointer data)
{
	(void)data;
	base(comparison, "main libjob.so!run libjob.so!parse libjob.so!scan");
	base(comparison, "main libjob.so!run libjob.so!parse read");
	base(comparison, "main libjob.so!run libjob.so!close");
	suspect(comparison, "main libjob.so!run libjob.so!split libjob.so!scan");
	suspect(comparison, "main libjob.so!run libjob.so!split read");
	suspect(comparison, "main libjob.so!run libjob.so!end");
	check_renamed(comparison, "aa", "bb", "parse=split by functions");
	/* The same code has no other names, and of code that is not known nobody knows. */
	check_renamed(comparison, "cc", "cc", "");
}

static void test_where_no_code_is_known_nothing_was_renamed(struct comparison *comparison,
							    gconstpointer data)
{
	(void)data;
	base(comparison, "main libjob.so!run libjob.so!parse(int)");
	suspect(comparison, "main libjob.so!run libjob.so!parse(long)");
	check_renamed(comparison, "", "", "");
}

static void test_parameters_are_no_part_of_a_name(struct comparison *comparison, gconstpointer data)
{
	(void)data;
	base(comparison, "main libjob.so!run libjob.so!Job::parse(int) libjob.so!map<int>::get()");
	suspect(comparison, "main libjob.so!run libjob.so!Job::parse(int,bool)");
	suspect(comparison, "main libjob.so!run libjob.so!map<long>::get()");
	/* Which of the two was it? */
	base(comparison, "main libjob.so!run libjob.so!add(int)");
	suspect(comparison, "main libjob.so!run libjob.so!add(long)");
	suspect(comparison, "main libjob.so!run libjob.so!add(char)");
	/* Operators have their signs in their names. */
	base(comparison, "main libjob.so!run libjob.so!Job::operator<(int)");
	suspect(comparison, "main libjob.so!run libjob.so!Job::operator()(int)");
	check_renamed(comparison, "aa", "bb",
		      "Job::parse(int)=Job::parse(int,bool) by name, "
		      "map<int>::get()=map<long>::get() by name");
}

static void test_scripts_lie_in_other_directories(struct comparison *comparison, gconstpointer data)
{
	static const char *const base_names[] = { "serve /srv/job-1.7/job.js:1:1",
						  "py::price:/srv/job-1.7/shop.py",
						  "get /srv/job-1.7/a/index.js",
						  "get /srv/job-1.7/b/index.js" };
	static const char *const suspect_names[] = { "serve /srv/job-1.8/job.js:1:1",
						     "py::price:/srv/job-1.8/shop.py",
						     "get /srv/job-1.8/a/index.js",
						     "get /srv/job-1.8/b/index.js" };
	struct itp_function function = { .module = "[anon]", .build_id = "" };

	(void)data;
	for (size_t i = 0; i < G_N_ELEMENTS(base_names); i++) {
		function.name = base_names[i];
		set_module(comparison, comparison->base[0], &function);
		function.name = suspect_names[i];
		set_module(comparison, comparison->suspect[0], &function);
	}
	check_renamed(comparison, "aa", "aa",
		      "serve /srv/job-1.7/job.js:1:1=serve /srv/job-1.8/job.js:1:1 by name, "
		      "py::price:/srv/job-1.7/shop.py=py::price:/srv/job-1.8/shop.py by name");
}

static void test_a_stem_has_no_version(void)
{
	static const char *const names[][2] = {
		{ "job", "job" },
		{ "job-1.7", "job" },
		{ "job_2.0rc1", "job" },
		{ "job-1.10.0-beta2", "job" },
		{ "job.old", "job" },
		{ "job-1.7.orig", "job" },
		{ "job14", "job" },
		{ "python3.11", "python" },
		{ "job-4f2a91c", "job" },
		/* No hash, but a word. */
		{ "job-facade", "job-facade" },
		{ "libjob-2.so.1.4", "libjob.so" },
		{ "mod_job-1.so", "mod_job.so" },
		{ "job-service-2.", "job-service" },
		{ "7", "7" },
		{ "old", "old" },
		{ "1.old", "1" },
		{ "", "" },
	};
	g_autoptr(GRegex) additions = itp_stem_additions();

	for (size_t i = 0; i < G_N_ELEMENTS(names); i++) {
		g_autofree char *stem = itp_stem(additions, names[i][0]);

		g_assert_cmpstr(stem, ==, names[i][1]);
	}
}

static void begin_anew(struct comparison *comparison)
{
	comparison_tear_down(comparison, NULL);
	comparison_set_up(comparison, NULL);
}

/* Of four functions one is in both, and of six. */
static void test_namesakes_have_a_fifth_in_common(struct comparison *comparison, gconstpointer data)
{
	(void)data;
	base(comparison, "main libjob-1.so!a libjob-1.so!b libjob-1.so!c libjob-1.so!d");
	suspect(comparison, "main libjob-2.so!a libjob-2.so!s libjob-2.so!t libjob-2.so!u");
	check(comparison, NULL, "module libjob-1.so=libjob-2.so by name");
	base(comparison, "main libjob-1.so!a libjob-1.so!e libjob-1.so!f");
	suspect(comparison, "main libjob-2.so!a libjob-2.so!v libjob-2.so!w");
	check(comparison, NULL, "");
}

static void test_strangers_have_half_in_common(struct comparison *comparison, gconstpointer data)
{
	(void)data;
	base(comparison, "main libred.so!a libred.so!b libred.so!c libred.so!d libred.so!e");
	suspect(comparison, "main libsea.so!a libsea.so!b libsea.so!c libsea.so!d libsea.so!s");
	check(comparison, NULL, "module libred.so=libsea.so by functions");
	/* Four of nine. */
	base(comparison, "main libred.so!f");
	suspect(comparison, "main libsea.so!t libsea.so!u");
	check(comparison, NULL, "");
}

static void test_strangers_have_four_in_common(struct comparison *comparison, gconstpointer data)
{
	(void)data;
	base(comparison, "main libred.so!a libred.so!b libred.so!c");
	suspect(comparison, "main libsea.so!a libsea.so!b libsea.so!c");
	check(comparison, NULL, "");
	base(comparison, "main libred.so!a libred.so!b libred.so!c libred.so!d");
	suspect(comparison, "main libsea.so!a libsea.so!b libsea.so!c libsea.so!d");
	check(comparison, NULL, "module libred.so=libsea.so by functions");
}

/* A function called by run(), which calls two others in both workloads, and so many more in each.
 */
static void call_more(struct comparison *comparison, int more)
{
	begin_anew(comparison);
	base(comparison, "main libjob.so!run libjob.so!parse scan");
	base(comparison, "main libjob.so!run libjob.so!parse read");
	suspect(comparison, "main libjob.so!run libjob.so!split scan");
	suspect(comparison, "main libjob.so!run libjob.so!split read");
	for (int i = 0; i < more; i++) {
		g_autofree char *of_base =
			g_strdup_printf("main libjob.so!run libjob.so!parse x%d", i);
		g_autofree char *of_suspect =
			g_strdup_printf("main libjob.so!run libjob.so!split y%d", i);

		base(comparison, of_base);
		suspect(comparison, of_suspect);
	}
}

static void test_who_is_renamed_has_half_of_its_neighbours(struct comparison *comparison,
							   gconstpointer data)
{
	(void)data;
	call_more(comparison, 1);
	check_renamed(comparison, "aa", "bb", "parse=split by functions");
	/* Three of seven. */
	call_more(comparison, 2);
	check_renamed(comparison, "aa", "bb", "");
}

static void test_two_neighbours_tell_nothing(struct comparison *comparison, gconstpointer data)
{
	(void)data;
	base(comparison, "main libjob.so!run libjob.so!parse scan");
	suspect(comparison, "main libjob.so!run libjob.so!split scan");
	check_renamed(comparison, "aa", "bb", "");
}

static void add(const char *name, void (*test)(struct comparison *, gconstpointer))
{
	g_autofree char *path = g_strconcat("/pairs/", name, NULL);

	g_test_add(path, struct comparison, NULL, comparison_set_up, test, comparison_tear_down);
}

int main(int argc, char **argv)
{
	g_test_init(&argc, &argv, NULL);
	g_test_set_nonfatal_assertions();
	add("versions are one", test_versions_are_one);
	add("two of one name are none", test_two_of_one_name_are_none);
	add("what is renamed is known by its functions",
	    test_what_is_renamed_is_known_by_its_functions);
	add("programs with the same libraries are two",
	    test_programs_with_the_same_libraries_are_two);
	add("a build id is enough", test_a_build_id_is_enough);
	add("without names nothing is paired", test_without_names_nothing_is_paired);
	add("scripts are run by one file", test_scripts_are_run_by_one_file);
	add("what is not there cannot be one", test_what_is_not_there_cannot_be_one);
	add("what surrounds it tells a function", test_what_surrounds_it_tells_a_function);
	add("where no code is known nothing was renamed",
	    test_where_no_code_is_known_nothing_was_renamed);
	add("parameters are no part of a name", test_parameters_are_no_part_of_a_name);
	add("scripts lie in other directories", test_scripts_lie_in_other_directories);
	add("namesakes have a fifth in common", test_namesakes_have_a_fifth_in_common);
	add("strangers have half in common", test_strangers_have_half_in_common);
	add("strangers have four in common", test_strangers_have_four_in_common);
	add("who is renamed has half of its neighbours",
	    test_who_is_renamed_has_half_of_its_neighbours);
	add("two neighbours tell nothing", test_two_neighbours_tell_nothing);
	g_test_add_func("/pairs/a stem has no version", test_a_stem_has_no_version);
	return g_test_run();
}
