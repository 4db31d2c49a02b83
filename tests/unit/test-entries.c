/* SPDX-License-Identifier: MIT */
/* Culprits, entries and what has moved, on trees that were worked out by hand. */
#include "tests/unit/comparison.h"

#define MS INT64_C(1000000)

static const struct itp_ranking_options folded = { .folds = true };

static void suspect(struct comparison *comparison, const char *stack, uint64_t count, int64_t own)
{
	comparison_set(comparison, comparison->suspect[0], stack, count, own);
}

static void base(struct comparison *comparison, const char *stack, uint64_t count, int64_t own)
{
	comparison_set(comparison, comparison->base[0], stack, count, own);
}

/* Many leaves below "handle" cost a little each. */
static void test_a_culprit_is_found_by_what_lies_below_it(struct comparison *comparison,
							  gconstpointer data)
{
	struct itp_ranking *ranking;

	(void)data;
	suspect(comparison, "main loop handle", 1, 5);
	for (char leaf = 'a'; leaf <= 'h'; leaf++) {
		g_autofree char *stack = g_strdup_printf("main loop handle %c", leaf);

		suspect(comparison, stack, 1, 10);
	}
	suspect(comparison, "main loop other", 1, 300);
	ranking = comparison_rank(comparison, &folded, false);
	g_assert_cmpstr(comparison_culprit(ranking, 0), ==, "other");
	g_assert_cmpint(comparison_path(ranking, 0)->cost, ==, 300);
	/* Each leaf is too little for an entry. */
	g_assert_cmpstr(comparison_culprit(ranking, 1), ==, "handle");
	g_assert_cmpint(comparison_path(ranking, 1)->cost, ==, 5 + 8 * 10);
	itp_ranking_free(ranking);
}

/* Of a static program it is the program's own. */
static void test_what_calls_main_is_no_culprit(struct comparison *comparison, gconstpointer data)
{
	struct itp_ranking *ranking;

	(void)data;
	suspect(comparison, "_start __libc_start_main __libc_start_call_main main", 1, 60);
	suspect(comparison, "_start __libc_start_main __libc_start_call_main main a", 1, 50);
	ranking = comparison_rank(comparison, &folded, false);
	g_assert_cmpstr(comparison_culprit(ranking, 0), ==, "main");
	itp_ranking_free(ranking);
}

/* What "next" and "eval" call is not to be joined by the reader: neither was called before. */
static void test_what_is_new_is_explained_by_its_call(struct comparison *comparison,
						      gconstpointer data)
{
	const char *const parts[] = { "a", "b", "c", "d" };
	struct itp_ranking *ranking;

	(void)data;
	base(comparison, "main plan scan", 1, 20);
	suspect(comparison, "main plan scan", 1, 20);
	suspect(comparison, "main plan scan next", 9, 5);
	for (size_t i = 0; i < G_N_ELEMENTS(parts); i++) {
		g_autofree char *stack = g_strconcat("main plan scan next ", parts[i], NULL);

		suspect(comparison, stack, 9, 50);
	}
	suspect(comparison, "main plan scan eval", 9, 70);
	ranking = comparison_rank(comparison, &folded, true);
	g_assert_cmpstr(comparison_culprit(ranking, 0), ==, "next");
	g_assert_cmpint(comparison_path(ranking, 0)->cost, ==, 205);
	g_assert_cmpstr(comparison_culprit(ranking, 1), ==, "eval");
	itp_ranking_free(ranking);
	/* Without a base, where the time went is what is asked for. */
	ranking = comparison_rank(comparison, &folded, false);
	g_assert_cmpstr(comparison_culprit(ranking, 0), ==, "eval");
	itp_ranking_free(ranking);
}

/* On a busy machine it waits less for what is to be done, and one of those whom it calls is slower.
 */
static void test_what_a_caller_saves_hides_nothing(struct comparison *comparison,
						   gconstpointer data)
{
	struct itp_ranking *ranking;

	(void)data;
	base(comparison, "main serve", 1, 1300);
	suspect(comparison, "main serve", 1, 700);
	base(comparison, "main serve handle", 9, 20);
	suspect(comparison, "main serve handle", 9, 20);
	suspect(comparison, "main serve handle price", 9, 100);
	ranking = comparison_rank(comparison, &folded, true);
	g_assert_cmpstr(comparison_culprit(ranking, 0), ==, "price");
	g_assert_cmpint(comparison_path(ranking, 0)->cost, ==, 100);
	g_assert_cmpstr(comparison_culprit(ranking, 1), ==, "serve");
	g_assert_cmpint(comparison_path(ranking, 1)->cost, ==, -600);
	itp_ranking_free(ranking);
}

/* A server's first process waits while others, which it has made, work. */
static void test_much_below_more_is_an_entry(struct comparison *comparison, gconstpointer data)
{
	struct itp_ranking *ranking;

	(void)data;
	base(comparison, "main serve", 1, 400);
	suspect(comparison, "main serve", 1, 1000);
	suspect(comparison, "main serve answer scan", 9, 430);
	suspect(comparison, "main serve answer reply", 9, 120);
	base(comparison, "main serve answer reply", 9, 100);
	suspect(comparison, "main serve log", 9, 90);
	ranking = comparison_rank(comparison, &folded, true);
	g_assert_cmpstr(comparison_culprit(ranking, 0), ==, "serve");
	g_assert_cmpint(comparison_path(ranking, 0)->cost, ==, 600 + 90);
	g_assert_cmpstr(comparison_culprit(ranking, 1), ==, "scan");
	itp_ranking_free(ranking);
}

static void test_paths_with_one_culprit_are_one_entry(struct comparison *comparison,
						      gconstpointer data)
{
	struct itp_ranking *ranking;
	const struct itp_ranked_path *path;

	(void)data;
	suspect(comparison, "main get lock libc.so.6!futex", 10, 50);
	suspect(comparison, "main put lock libc.so.6!futex", 10, 70);
	suspect(comparison, "main del", 1, 60);
	base(comparison, "main get lock libc.so.6!futex", 10, 20);
	base(comparison, "main put lock libc.so.6!futex", 5, 10);
	base(comparison, "main del", 1, 60);
	ranking = comparison_rank(comparison, &folded, true);
	path = comparison_path(ranking, 0);
	g_assert_cmpstr(comparison_culprit(ranking, 0), ==, "lock");
	g_assert_cmpint(path->cost, ==, 120 - 30);
	g_assert_cmpuint(path->path_count, ==, 2);
	g_assert_cmpuint(path->variant_count, ==, 2);
	g_assert_cmpint(path->variants[0].suspect_ns - path->variants[0].base_ns, ==, 60);
	/* lock itself was not counted but seen: once in each context. */
	g_assert_cmpuint(path->suspect_calls, ==, 2);
	g_assert_cmpuint(path->base_calls, ==, 2);
	g_assert_cmpint(path->delta.more_calls_ns, ==, 0);
	g_assert_cmpint(path->delta.slower_calls_ns, ==, 90);
	/* The path shown is one of the first variant. */
	g_assert_cmpuint(path->frames[path->culprit].node, ==, path->variants[0].node);
	itp_ranking_free(ranking);
}

static void test_without_folding_each_path_stands_for_itself(struct comparison *comparison,
							     gconstpointer data)
{
	const struct itp_ranking_options options = { .folds = false };
	struct itp_ranking *ranking;

	(void)data;
	suspect(comparison, "main get lock", 10, 50);
	suspect(comparison, "main put lock", 10, 70);
	ranking = comparison_rank(comparison, &options, false);
	g_assert_cmpuint(ranking->entry_count, ==, 2);
	g_assert_cmpint(comparison_path(ranking, 0)->cost, ==, 70);
	g_assert_cmpuint(comparison_path(ranking, 0)->variant_count, ==, 0);
	itp_ranking_free(ranking);
}

/* Eight functions that cost more, two that save, and one that differs by chance. */
static void compare_changes(struct comparison *comparison)
{
	for (char name = 'a'; name <= 'h'; name++) {
		g_autofree char *stack = g_strdup_printf("main %c", name);

		suspect(comparison, stack, 100, 2000 + name);
		base(comparison, stack, 100, 100);
	}
	suspect(comparison, "main less", 100, 100);
	base(comparison, "main less", 100, 1500);
	suspect(comparison, "main least x", 100, 100);
	suspect(comparison, "main least y", 100, 100);
	base(comparison, "main least x", 100, 200);
	base(comparison, "main least y", 100, 3000);
	suspect(comparison, "main same", 100, 3000);
	base(comparison, "main same", 100, 3001);
}

static void test_savings_come_after_what_costs_more(struct comparison *comparison,
						    gconstpointer data)
{
	struct itp_ranking *ranking;

	(void)data;
	compare_changes(comparison);
	ranking = comparison_rank(comparison, &folded, true);
	g_assert_cmpstr(comparison_culprit(ranking, 0), ==, "h");
	g_assert_cmpstr(comparison_culprit(ranking, 7), ==, "a");
	/* The largest saving first. */
	g_assert_cmpint(comparison_path(ranking, 8)->cost, <, -2000);
	g_assert_cmpstr(comparison_leaf(ranking, 8), ==, "y");
	g_assert_cmpint(comparison_path(ranking, 9)->cost, ==, -1400);
	/* Chance goes last. */
	for (guint i = 10; i < ranking->paths->len; i++) {
		g_assert_true(
			itp_significance_is_chance(&comparison_path(ranking, i)->significance));
	}
	g_assert_cmpuint(ranking->significant_count, ==, 10);
	itp_ranking_free(ranking);
}

static void test_the_first_are_kept(struct comparison *comparison, gconstpointer data)
{
	struct itp_ranking_options options = folded;
	struct itp_ranking *ranking;

	(void)data;
	compare_changes(comparison);
	options.top = 9;
	ranking = comparison_rank(comparison, &options, true);
	g_assert_cmpuint(ranking->paths->len, ==, 9);
	for (guint i = 0; i < 9; i++) {
		g_assert_cmpuint(comparison_path(ranking, i)->rank, ==, i + 1);
	}
	g_assert_cmpstr(comparison_leaf(ranking, 8), ==, "y");
	itp_ranking_free(ranking);
}

/* Of a whole that got faster, somebody asks why. */
static void test_what_saves_most_is_kept_of_what_is_faster(struct comparison *comparison,
							   gconstpointer data)
{
	struct itp_ranking_options options = folded;
	struct itp_ranking *ranking;

	(void)data;
	compare_changes(comparison);
	options.top = 3;
	ranking = comparison_rank(comparison, &options, true);
	g_assert_cmpuint(ranking->paths->len, ==, 3);
	itp_ranking_free(ranking);
	base(comparison, "main less", 100, 20000);
	ranking = comparison_rank(comparison, &options, true);
	g_assert_cmpuint(ranking->paths->len, ==, 4);
	g_assert_cmpuint(comparison_path(ranking, 3)->rank, ==, 9);
	g_assert_cmpstr(comparison_culprit(ranking, 3), ==, "less");
	itp_ranking_free(ranking);
}

static void test_entries_share_the_whole_among_them(struct comparison *comparison,
						    gconstpointer data)
{
	struct itp_ranking *ranking;
	int64_t sum = 0;

	(void)data;
	suspect(comparison, "main", 1, 7);
	suspect(comparison, "main a", 1, 40);
	suspect(comparison, "main a b", 1, 30);
	suspect(comparison, "main a b c", 1, 35);
	suspect(comparison, "main d", 1, 20);
	/* Without a function of the program, and above the first one. */
	suspect(comparison, "libc.so.6!start", 1, 3);
	suspect(comparison, "libc.so.6!start main", 1, 4);
	suspect(comparison, "libc.so.6!clone libc.so.6!tick", 1, 5);
	suspect(comparison, "k:kthread k:work", 1, 6);
	/* What is apart is in no entry, and not in the whole. */
	suspect(comparison, "k:[recorder]", 1, 1000);
	suspect(comparison, "main a k:[recorder]", 1, 1000);
	suspect(comparison, "k:[lost]", 1, 1000);
	comparison_block(comparison, comparison->suspect[0],
			 "main a libc.so.6!epoll_wait syscall:epoll_wait", 9, 1000);
	ranking = comparison_rank(comparison, &folded, false);
	for (guint i = 0; i < ranking->paths->len; i++) {
		sum += comparison_path(ranking, i)->cost;
	}
	g_assert_cmpint(sum, ==, 7 + 40 + 30 + 35 + 20 + 3 + 4 + 5 + 6);
	g_assert_cmpint(sum, ==, ranking->suspect_own_ns);
	itp_ranking_free(ranking);
}

static void test_waiting_for_a_cpu_does_not_count_for_the_order(struct comparison *comparison,
								gconstpointer data)
{
	struct itp_ranking *ranking;

	(void)data;
	suspect(comparison, "main busy", 1, 100);
	comparison_set(comparison, comparison->suspect[0], "main starved", 1, 150)
		->own_use.runnable_ns = 90;
	ranking = comparison_rank(comparison, &folded, false);
	g_assert_cmpstr(comparison_culprit(ranking, 0), ==, "busy");
	g_assert_cmpint(comparison_path(ranking, 0)->ranked_value, ==, 100);
	g_assert_cmpint(comparison_path(ranking, 1)->cost, ==, 150);
	g_assert_cmpint(comparison_path(ranking, 1)->ranked_value, ==, 60);
	itp_ranking_free(ranking);
}

static void test_ticks_are_those_of_the_contexts_in_an_entry(struct comparison *comparison,
							     gconstpointer data)
{
	struct itp_ranking_options options = folded;
	struct itp_node_stats *stats;
	struct itp_ranking *ranking;
	const struct itp_ranked_row *row;

	(void)data;
	stats = comparison_set(comparison, comparison->suspect[0], "main a", 1, 101);
	stats->samples = 3;
	stats->own_variance_us2 = 9;
	stats = comparison_set(comparison, comparison->suspect[0], "main a libc.so.6!b", 1, 100);
	stats->samples = 4;
	stats->own_variance_us2 = 16;
	comparison_set(comparison, comparison->suspect[0], "main a k:[recorder]", 1, 100)->samples =
		100;
	comparison_set(comparison, comparison->suspect[0], "main c", 1, 50)->samples = 1;
	ranking = comparison_rank(comparison, &options, false);
	g_assert_cmpstr(comparison_culprit(ranking, 0), ==, "a");
	g_assert_cmpuint(comparison_path(ranking, 0)->ticks.samples, ==, 7);
	g_assert_cmpuint(comparison_path(ranking, 0)->ticks.variance_us2, ==, 25);
	g_assert_cmpuint(comparison_path(ranking, 1)->ticks.samples, ==, 1);
	itp_ranking_free(ranking);

	options.by = ITP_RANK_BY_FUNCTION;
	ranking = comparison_rank(comparison, &options, true);
	row = &g_array_index(ranking->rows, struct itp_ranked_row, 0);
	g_assert_cmpuint(row->ticks.samples, ==, 3);
	g_assert_cmpuint(row->ticks.variance_us2, ==, 9);
	g_assert_cmpuint(row->base_ticks.samples, ==, 0);
	itp_ranking_free(ranking);
}

/* Threads of all programs leave the CPU by the same functions. */
static void test_a_function_has_the_time_that_it_waits(struct comparison *comparison,
						       gconstpointer data)
{
	struct itp_ranking_options options = { .folds = true, .by = ITP_RANK_BY_FUNCTION };
	const struct itp_ranked_row *row;
	struct itp_ranking *ranking;

	(void)data;
	comparison_block(comparison, comparison->suspect[0],
			 "a: main syscall:fsync k:wait_on_page k:schedule k:__schedule", 1, 100);
	comparison_block(comparison, comparison->suspect[0],
			 "b: main syscall:fsync k:wait_on_page k:schedule k:__schedule", 1, 300);
	suspect(comparison, "b: main k:schedule k:__schedule", 1, 50);
	suspect(comparison, "b: main", 1, 20);
	ranking = comparison_rank(comparison, &options, false);
	g_assert_cmpuint(ranking->rows->len, ==, 3);
	row = &g_array_index(ranking->rows, struct itp_ranked_row, 0);
	g_assert_cmpstr(itp_function_table_get(ranking->functions, row->function)->name, ==,
			"wait_on_page");
	g_assert_cmpint(row->own_ns, ==, 400);
	g_assert_cmpint(row->total_ns, ==, 400);
	g_assert_cmpuint(row->count, ==, 2);
	g_assert_cmpuint(row->process_count, ==, 2);
	g_assert_cmpstr(itp_function_table_get(ranking->functions, row->process)->name, ==, "b");
	row = &g_array_index(ranking->rows, struct itp_ranked_row, 1);
	g_assert_cmpstr(itp_function_table_get(ranking->functions, row->function)->name, ==,
			"main");
	g_assert_cmpint(row->own_ns, ==, 70);
	itp_ranking_free(ranking);
	options.method = ITP_METHOD_PAPER;
	ranking = comparison_rank(comparison, &options, false);
	row = &g_array_index(ranking->rows, struct itp_ranked_row, 0);
	g_assert_cmpstr(itp_function_table_get(ranking->functions, row->function)->name, ==,
			"__schedule");
	itp_ranking_free(ranking);
}

static void test_a_small_entry_is_part_of_the_one_above(struct comparison *comparison,
							gconstpointer data)
{
	struct itp_ranking *ranking;

	(void)data;
	/* match is all that lies below find, and find little of keys. */
	suspect(comparison, "main call keys", 1, 200);
	suspect(comparison, "main call keys find match", 1, 20);
	suspect(comparison, "main call keys find", 1, 1);
	ranking = comparison_rank(comparison, &folded, false);
	g_assert_cmpuint(ranking->paths->len, ==, 1);
	g_assert_cmpstr(comparison_culprit(ranking, 0), ==, "keys");
	g_assert_cmpint(comparison_path(ranking, 0)->cost, ==, 221);
	itp_ranking_free(ranking);
}

/* No path through inflate costs as much as the one to crc, but all of them together do. */
static void test_an_entry_shows_where_most_of_it_is(struct comparison *comparison,
						    gconstpointer data)
{
	struct itp_ranking *ranking;

	(void)data;
	suspect(comparison, "main load /libz.so.1!crc", 1, 50);
	for (char leaf = 'a'; leaf <= 'h'; leaf++) {
		g_autofree char *stack =
			g_strdup_printf("main load /libz.so.1!inflate /libz.so.1!%c", leaf);

		suspect(comparison, stack, 1, leaf == 'c' ? 25 : 20);
	}
	ranking = comparison_rank(comparison, &folded, false);
	g_assert_cmpstr(comparison_culprit(ranking, 0), ==, "load");
	g_assert_cmpstr(comparison_leaf(ranking, 0), ==, "c");
	itp_ranking_free(ranking);
	/* The same for what is saved. */
	base(comparison, "main load /libz.so.1!crc", 1, 150);
	for (char leaf = 'a'; leaf <= 'h'; leaf++) {
		g_autofree char *stack =
			g_strdup_printf("main load /libz.so.1!inflate /libz.so.1!%c", leaf);

		base(comparison, stack, 1, leaf == 'e' ? 70 : 60);
	}
	ranking = comparison_rank(comparison, &folded, true);
	g_assert_cmpint(comparison_path(ranking, 0)->cost, <, 0);
	g_assert_cmpstr(comparison_leaf(ranking, 0), ==, "e");
	itp_ranking_free(ranking);
}

/* The name of the frame of the first path where more calls begin; "-" for none. */
static const char *origin_of(const struct itp_ranking *ranking)
{
	const struct itp_ranked_path *path = comparison_path(ranking, 0);

	return path->origin < 0 ? "-" :
				  itp_function_table_get(ranking->functions,
							 path->frames[path->origin].function)
					  ->name;
}

static void test_what_is_new_begins_at_its_caller(struct comparison *comparison, gconstpointer data)
{
	struct itp_ranking *ranking;

	(void)data;
	suspect(comparison, "main plan scan next page", 9, 500);
	suspect(comparison, "main plan index", 1, 20);
	base(comparison, "main plan index", 1, 20);
	ranking = comparison_rank(comparison, &folded, true);
	g_assert_cmpstr(comparison_culprit(ranking, 0), ==, "page");
	g_assert_cmpstr(origin_of(ranking), ==, "plan");
	itp_ranking_free(ranking);
	/* Nothing begins without something to compare with. */
	ranking = comparison_rank(comparison, &folded, false);
	g_assert_cmpstr(origin_of(ranking), ==, "-");
	itp_ranking_free(ranking);
}

static void test_more_calls_begin_below_as_many(struct comparison *comparison, gconstpointer data)
{
	struct itp_ranking *ranking;

	(void)data;
	suspect(comparison, "main execute", 7, 10);
	suspect(comparison, "main execute step", 7, 10);
	suspect(comparison, "main execute step next", 900, 40);
	suspect(comparison, "main execute step next page", 900, 500);
	base(comparison, "main execute", 7, 10);
	base(comparison, "main execute step", 7, 10);
	base(comparison, "main execute step next", 9, 1);
	base(comparison, "main execute step next page", 9, 5);
	ranking = comparison_rank(comparison, &folded, true);
	g_assert_cmpstr(comparison_culprit(ranking, 0), ==, "page");
	g_assert_cmpstr(origin_of(ranking), ==, "step");
	itp_ranking_free(ranking);
}

/* It is as often called as before, and only takes longer; a call more costs next to nothing. */
static void test_what_only_takes_longer_begins_nowhere(struct comparison *comparison,
						       gconstpointer data)
{
	struct itp_ranking *ranking;

	(void)data;
	suspect(comparison, "main step", 7, 500);
	suspect(comparison, "main step note", 3, 1);
	base(comparison, "main step", 7, 10);
	base(comparison, "main step note", 2, 1);
	ranking = comparison_rank(comparison, &folded, true);
	g_assert_cmpstr(comparison_culprit(ranking, 0), ==, "step");
	g_assert_cmpstr(origin_of(ranking), ==, "-");
	itp_ranking_free(ranking);
}

static void test_libraries_of_the_system_are_passed_over(struct comparison *comparison,
							 gconstpointer data)
{
	struct itp_ranking *ranking;

	(void)data;
	suspect(comparison, "main filter /libz.so.1!deflate libc.so.6!memcpy", 1, 100);
	suspect(comparison, "main check libown.so!verify libc.so.6!memcpy", 1, 90);
	suspect(comparison, "/libX.so.6!start libc.so.6!memcpy", 1, 80);
	suspect(comparison, "main sort std::sort", 1, 70);
	suspect(comparison, "k:kthread k:work", 1, 60);
	ranking = comparison_rank(comparison, &folded, false);
	g_assert_cmpstr(comparison_culprit(ranking, 0), ==, "filter");
	g_assert_cmpstr(comparison_culprit(ranking, 1), ==, "verify");
	g_assert_cmpstr(comparison_culprit(ranking, 2), ==, "start");
	g_assert_cmpstr(comparison_culprit(ranking, 3), ==, "sort");
	g_assert_cmpstr(comparison_culprit(ranking, 4), ==, "-");
	itp_ranking_free(ranking);
}

/* The program is stripped, the library has the names that it exports. */
static void test_names_tell_more_than_whose_code_it_is(struct comparison *comparison,
						       gconstpointer data)
{
	struct itp_ranking *ranking;

	(void)data;
	suspect(comparison, "job+0x10 job+0x20 /libxml2.so.2!eval /libxml2.so.2!libxml2.so.2+0x90",
		1, 100);
	suspect(comparison, "job+0x10 job+0x30 /libz.so.1!libz.so.1+0x90 libc.so.6!memcpy", 1, 80);
	suspect(comparison, "job+0x10 /libX.so.6!loop job+0x40 libc.so.6!memcpy", 1, 60);
	/* What the library calls is a part of it, and no entry beside it. */
	suspect(comparison, "job+0x10 job+0x20 /libxml2.so.2!eval /libxml2.so.2!step", 1, 40);
	suspect(comparison, "named work /libxml2.so.2!eval", 1, 10);
	ranking = comparison_rank(comparison, &folded, false);
	g_assert_cmpstr(comparison_culprit(ranking, 0), ==, "eval");
	g_assert_cmpint(comparison_path(ranking, 0)->cost, ==, 140);
	g_assert_cmpstr(comparison_culprit(ranking, 1), ==, "job+0x30");
	g_assert_cmpstr(comparison_culprit(ranking, 2), ==, "job+0x40");
	g_assert_cmpstr(comparison_culprit(ranking, 3), ==, "work");
	itp_ranking_free(ranking);
}

/* The program is a script; or has the interpreter embedded. */
static void test_an_interpreter_stands_for_its_script(struct comparison *comparison,
						      gconstpointer data)
{
	struct itp_ranking *ranking;

	(void)data;
	suspect(comparison, "_start main libruby-3.1.so!run libruby-3.1.so!plus libc.so.6!memcpy",
		1, 100);
	suspect(comparison, "_start main libruby-3.1.so!run /libxml2.so.2!parse", 1, 80);
	suspect(comparison, "_start main libruby-3.1.so!run digest.so!hash libc.so.6!memcpy", 1,
		60);
	suspect(comparison, "_start main editor libruby-3.1.so!run libruby-3.1.so!sort", 1, 40);
	suspect(comparison, "_start main /libz.so.1!crc", 1, 20);
	ranking = comparison_rank(comparison, &folded, false);
	g_assert_cmpstr(comparison_culprit(ranking, 0), ==, "plus");
	g_assert_cmpstr(comparison_culprit(ranking, 1), ==, "parse");
	g_assert_cmpstr(comparison_culprit(ranking, 2), ==, "hash");
	g_assert_cmpstr(comparison_culprit(ranking, 3), ==, "editor");
	g_assert_cmpstr(comparison_culprit(ranking, 4), ==, "main");
	itp_ranking_free(ranking);
}

static void test_users_say_whose_code_a_module_is(struct comparison *comparison, gconstpointer data)
{
	static const char *const runtime[] = { "libown*", NULL };
	static const char *const own[] = { "libz.so*", NULL };
	const struct itp_module_kinds kinds = { .runtime = runtime, .own = own };
	const struct itp_ranking_options options = { .folds = true, .modules = &kinds };
	struct itp_ranking *ranking;

	(void)data;
	suspect(comparison, "main filter /libz.so.1!deflate", 1, 100);
	suspect(comparison, "main check libown.so!verify", 1, 90);
	ranking = comparison_rank(comparison, &options, false);
	g_assert_cmpstr(comparison_culprit(ranking, 0), ==, "deflate");
	g_assert_cmpstr(comparison_culprit(ranking, 1), ==, "check");
	itp_ranking_free(ranking);
}

static void test_an_entry_knows_where_its_time_is_spent(struct comparison *comparison,
							gconstpointer data)
{
	struct itp_ranking *ranking;
	const struct itp_ranked_path *path;

	(void)data;
	comparison_block(comparison, comparison->suspect[0],
			 "main save libc.so.6!fsync syscall:fsync k:wait", 5, 500);
	comparison_block(comparison, comparison->suspect[0],
			 "main save libc.so.6!write syscall:write k:wait", 5, 100);
	suspect(comparison, "main save", 5, 50);
	ranking = comparison_rank(comparison, &folded, false);
	path = comparison_path(ranking, 0);
	g_assert_cmpint(path->delta.use.blocked_ns, ==, 600);
	g_assert_cmpint(path->delta.use.cpu_ns, ==, 50);
	g_assert_cmpstr(itp_function_table_get(ranking->functions, path->syscall)->name, ==,
			"syscall:fsync");
	g_assert_cmpstr(itp_function_table_get(ranking->functions, path->cost_function)->module, ==,
			"[kernel]");
	itp_ranking_free(ranking);
}

/* ---- New, vanished, moved ---- */

static void test_what_only_one_workload_has_is_flagged(struct comparison *comparison,
						       gconstpointer data)
{
	struct itp_ranking *ranking;

	(void)data;
	suspect(comparison, "main fresh", 1, 100);
	suspect(comparison, "main same", 1, 100);
	base(comparison, "main same", 1, 100);
	base(comparison, "main old", 1, 50);
	ranking = comparison_rank(comparison, &folded, true);
	g_assert_cmpuint(ranking->path_count, ==, 3);
	g_assert_cmpstr(comparison_culprit(ranking, 0), ==, "fresh");
	g_assert_cmpuint(comparison_path(ranking, 0)->novelty, ==, ITP_NOVELTY_NEW);
	g_assert_cmpstr(comparison_culprit(ranking, 1), ==, "old");
	g_assert_cmpuint(comparison_path(ranking, 1)->novelty, ==, ITP_NOVELTY_VANISHED);
	g_assert_cmpint(comparison_path(ranking, 1)->cost, ==, -50);
	itp_ranking_free(ranking);
}

static void test_a_subtree_below_another_caller_has_moved(struct comparison *comparison,
							  gconstpointer data)
{
	struct itp_ranking *ranking;
	const struct itp_ranked_path *path;
	g_autoptr(GArray) names = g_array_new(FALSE, FALSE, sizeof(uint32_t));

	(void)data;
	base(comparison, "main parse", 1, 10);
	base(comparison, "main parse check", 1, 40);
	base(comparison, "main parse check deep", 1, 60);
	suspect(comparison, "main parse", 1, 10);
	suspect(comparison, "main wrap check", 1, 45);
	suspect(comparison, "main wrap check deep", 1, 90);
	suspect(comparison, "main wrap check extra", 1, 1);
	ranking = comparison_rank(comparison, &folded, true);
	g_assert_cmpint(ranking->suspect_own_ns - ranking->base_own_ns, ==, 36);
	path = comparison_path(ranking, 0);
	g_assert_cmpuint(path->novelty, ==, ITP_NOVELTY_MOVED);
	g_assert_cmpint(path->cost, <=, 36);
	itp_context_tree_path(ranking->tree, path->moved_from, names);
	g_assert_cmpuint(names->len, ==, 4);
	for (guint i = 0; i < ranking->paths->len; i++) {
		g_assert_cmpuint(comparison_path(ranking, i)->novelty, !=, ITP_NOVELTY_VANISHED);
	}
	itp_ranking_free(ranking);
}

static void test_the_paper_is_followed_to_the_letter(struct comparison *comparison,
						     gconstpointer data)
{
	const struct itp_ranking_options paper = { .method = ITP_METHOD_PAPER, .folds = true };
	const char *wait = "main loop libc.so.6!epoll_wait syscall:epoll_wait";
	struct itp_ranking *ranking;

	(void)data;
	comparison_block(comparison, comparison->suspect[0], wait, 1, 900);
	comparison_block(comparison, comparison->base[0], wait, 1, 200);
	suspect(comparison, "main loop handle", 1, 50);
	ranking = comparison_rank(comparison, &paper, true);
	g_assert_cmpstr(comparison_leaf(ranking, 0), ==, "syscall:epoll_wait");
	g_assert_cmpint(comparison_path(ranking, 0)->cost, ==, 700);
	g_assert_cmpuint(comparison_path(ranking, 0)->variant_count, ==, 0);
	g_assert_false(itp_significance_is_chance(&comparison_path(ranking, 0)->significance));
	itp_ranking_free(ranking);
}

/* nap() does what it always did: who is new, and calls it, is to be opened. Where that calls what
 * is new as well, it is the last of these. */
static void test_a_new_caller_of_a_known_function_is_the_culprit(struct comparison *comparison,
								 gconstpointer data)
{
	const struct itp_ranking_options options = { .folds = true, .spread = 0.03 };
	struct itp_ranking *ranking;

	(void)data;
	comparison_set(comparison, comparison->base[0], "main nap", 40, 40 * MS);
	comparison_set(comparison, comparison->suspect[0], "main nap", 40, 40 * MS);
	comparison_set(comparison, comparison->base[0], "main request", 40, 80 * MS);
	comparison_set(comparison, comparison->suspect[0], "main request", 40, 80 * MS);
	comparison_set(comparison, comparison->suspect[0], "main request retry look_up nap", 2,
		       300 * MS);
	ranking = comparison_rank(comparison, &options, true);
	g_assert_cmpstr(comparison_culprit(ranking, 0), ==, "look_up");
	g_assert_cmpint(comparison_path(ranking, 0)->cost, ==, 300 * MS);
	itp_ranking_free(ranking);
}

static void add(const char *name, void (*test)(struct comparison *, gconstpointer))
{
	g_autofree char *path = g_strconcat("/entries/", name, NULL);

	g_test_add(path, struct comparison, NULL, comparison_set_up, test, comparison_tear_down);
}

int main(int argc, char **argv)
{
	g_test_init(&argc, &argv, NULL);
	g_test_set_nonfatal_assertions();
	add("a culprit is found by what lies below it",
	    test_a_culprit_is_found_by_what_lies_below_it);
	add("what is new is explained by its call", test_what_is_new_is_explained_by_its_call);
	add("what a caller saves hides nothing", test_what_a_caller_saves_hides_nothing);
	add("much below more is an entry", test_much_below_more_is_an_entry);
	add("paths with one culprit are one entry", test_paths_with_one_culprit_are_one_entry);
	add("without folding each path stands for itself",
	    test_without_folding_each_path_stands_for_itself);
	add("savings come after what costs more", test_savings_come_after_what_costs_more);
	add("what calls main is no culprit", test_what_calls_main_is_no_culprit);
	add("the first are kept", test_the_first_are_kept);
	add("what saves most is kept of what is faster",
	    test_what_saves_most_is_kept_of_what_is_faster);
	add("entries share the whole among them", test_entries_share_the_whole_among_them);
	add("ticks are those of the contexts in an entry",
	    test_ticks_are_those_of_the_contexts_in_an_entry);
	add("waiting for a CPU does not count for the order",
	    test_waiting_for_a_cpu_does_not_count_for_the_order);
	add("a function has the time that it waits", test_a_function_has_the_time_that_it_waits);
	add("a small entry is part of the one above", test_a_small_entry_is_part_of_the_one_above);
	add("an entry shows where most of it is", test_an_entry_shows_where_most_of_it_is);
	add("what is new begins at its caller", test_what_is_new_begins_at_its_caller);
	add("more calls begin below as many", test_more_calls_begin_below_as_many);
	add("what only takes longer begins nowhere", test_what_only_takes_longer_begins_nowhere);
	add("libraries of the system are passed over",
	    test_libraries_of_the_system_are_passed_over);
	add("names tell more than whose code it is", test_names_tell_more_than_whose_code_it_is);
	add("an interpreter stands for its script", test_an_interpreter_stands_for_its_script);
	add("users say whose code a module is", test_users_say_whose_code_a_module_is);
	add("an entry knows where its time is spent", test_an_entry_knows_where_its_time_is_spent);
	add("what only one workload has is flagged", test_what_only_one_workload_has_is_flagged);
	add("a new caller of a known function is the culprit",
	    test_a_new_caller_of_a_known_function_is_the_culprit);
	add("a subtree below another caller has moved",
	    test_a_subtree_below_another_caller_has_moved);
	add("the paper is followed to the letter", test_the_paper_is_followed_to_the_letter);
	return g_test_run();
}
