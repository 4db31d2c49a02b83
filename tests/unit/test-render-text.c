/* SPDX-License-Identifier: MIT */
/*
 * Text for a person: what each part of the page says, and that no line is wider than the terminal.
 */
#include "common/base/labels.h"
#include "common/base/watched.h"
#include "common/rank/held-up.h"
#include "tests/unit/render-scene.h"

#include <string.h>

static void check_widths(const char *output, unsigned int width)
{
	g_auto(GStrv) lines = g_strsplit(output, "\n", -1);

	for (char **line = lines; *line != NULL; line++) {
		g_assert_true(g_utf8_validate(*line, -1, NULL));
		g_assert_cmpuint(itp_label_columns(*line), <=, width);
	}
}

static void test_comparison(void)
{
	scene_check(scene_comparison(), ITP_FORMAT_TEXT, 80, "comparison-80.txt");
}

/* One screen: three rows, and nothing that is the same for every result. */
static void test_brief(void)
{
	scene_check_brief(scene_comparison(), "brief-comparison-80.txt");
	scene_check_brief(scene_single(), "brief-single-80.txt");
	scene_check_brief(scene_changes(), "brief-changes-80.txt");
	scene_check_brief(scene_incomplete(), "brief-incomplete-80.txt");
	scene_check_brief(scene_poor(), "brief-poor-80.txt");
}

static void test_comparison_wide(void)
{
	scene_check(scene_comparison(), ITP_FORMAT_TEXT, 140, "comparison-140.txt");
}

static void test_comparison_narrow(void)
{
	scene_check(scene_comparison(), ITP_FORMAT_TEXT, 60, "comparison-60.txt");
}

static void test_single(void)
{
	scene_check(scene_single(), ITP_FORMAT_TEXT, 80, "single-80.txt");
}

static void test_equal_names(void)
{
	struct scene *scene = scene_new("perf.data", "perf.data");

	scene_path(scene, "nginx", scene_read, READ_FRAMES, -1);
	scene_check(scene, ITP_FORMAT_TEXT, 80, "equal-names-80.txt");
}

static void test_nothing_to_rank(void)
{
	struct scene *scene = scene_new("good.data", "slow.data");

	scene_check(scene, ITP_FORMAT_TEXT, 80, "nothing-80.txt");
}

static void test_incomplete_input(void)
{
	scene_check(scene_incomplete(), ITP_FORMAT_TEXT, 80, "incomplete-80.txt");
}

static void test_ended_by_error(void)
{
	struct scene *scene = scene_comparison();
	g_autofree char *output = scene_rendered(scene, ITP_FORMAT_TEXT, 80, true);

	g_assert_true(g_str_has_prefix(output, "INCOMPLETE: an error ended the run early"));
	g_assert_nonnull(strstr(output, "\nInput: incomplete"));
	scene_free(scene);
}

/* What woke it worked for itself in what it called. */
static void test_kept_by_the_waker(void)
{
	struct scene *scene = scene_comparison();
	struct itp_ranked_path *path =
		&g_array_index(scene->ranking.paths, struct itp_ranked_path, 0);
	g_autofree char *output = NULL;

	g_array_index(path->waited_for[ITP_WAKER_KEPT], struct itp_waker, 0).function =
		scene_function(scene, "redis-server", "reply");
	output = scene_rendered(scene, ITP_FORMAT_TEXT, 200, true);
	g_assert_nonnull(strstr(output, "blocked in clock_nanosleep, kept by reply in redis-server "
					"(100 %), which ran scan in redis-server (80 %);"));
	g_assert_null(strstr(output, "woken by"));
	scene_free(scene);
}

/* Who was seen to end a few of its waits says nothing of the others. */
static void test_most_ends_unseen(void)
{
	struct scene *scene = scene_comparison();
	struct itp_ranked_path *path =
		&g_array_index(scene->ranking.paths, struct itp_ranked_path, 0);
	g_autofree char *output = NULL;
	g_autofree char *slept = NULL;

	path->delta.use.blocked_ns = 40 * S;
	slept = scene_rendered(scene, ITP_FORMAT_TEXT, 200, true);
	g_assert_nonnull(strstr(slept, "blocked in clock_nanosleep;"));
	path->syscall = scene_function(scene, "[kernel]", "syscall:recvfrom");
	output = scene_rendered(scene, ITP_FORMAT_TEXT, 200, true);
	g_assert_nonnull(strstr(output, "blocked in recvfrom, nobody was seen to end 75 % of it;"));
	g_assert_null(strstr(output, "until then ran"));
	scene_free(scene);
}

/* Notes of the scene's second path, a wait for a CPU of which a quota is said to be so much. */
static char *notes_with_quota(int64_t quota_ns)
{
	struct scene *scene = scene_single();
	struct itp_ranked_path *path =
		&g_array_index(scene->ranking.paths, struct itp_ranked_path, 1);
	const struct itp_waker takers[] = {
		{ .role = ITP_WAKER_HAD_CPU,
		  .process = scene_process(scene, "backupd"),
		  .blocked_ns = S - quota_ns },
		{ .role = ITP_WAKER_HAD_CPU,
		  .process = scene_process(scene, ITP_QUOTA_NAME),
		  .blocked_ns = quota_ns },
	};
	char *output = NULL;

	g_array_append_vals(path->waited_for[ITP_WAKER_HAD_CPU], takers, G_N_ELEMENTS(takers));
	output = scene_rendered(scene, ITP_FORMAT_TEXT, 200, false);
	scene_free(scene);
	return output;
}

static void test_quotas(void)
{
	g_autofree char *much = notes_with_quota(20 * MS);
	g_autofree char *next_to_nothing = notes_with_quota(5 * MS);

	g_assert_nonnull(
		strstr(much, "held by its CPU quota for 20 ms; CPU taken by backupd: 98 %"));
	g_assert_nonnull(strstr(next_to_nothing, "CPU taken by backupd: "));
	g_assert_null(strstr(next_to_nothing, "quota"));
}

static bool has_machine_line(double ratio, double error, const char *line)
{
	struct scene *scene = scene_comparison();
	g_autofree char *output = NULL;
	bool is_there;

	scene->ranking.speed = (struct itp_machine_speed){
		.is_known = true,
		.ratio = ratio,
		.ratio_error = error,
	};
	output = scene_rendered(scene, ITP_FORMAT_TEXT, 80, false);
	is_there = strstr(output, line) != NULL;
	scene_free(scene);
	return is_there;
}

/* Differences of any two runs are not told, nor those that may be chance. */
static void test_a_slower_machine(void)
{
	g_assert_true(has_machine_line(1.062, 0.03,
				       "\nMachine: 6.2 % slower during slow.data, for "
				       "which verdicts allow.\n"));
	g_assert_true(has_machine_line(0.9, 0,
				       "\nMachine: 10 % faster during slow.data, for "
				       "which verdicts allow.\n"));
	g_assert_false(has_machine_line(1.039, 0, "Machine:"));
	g_assert_false(has_machine_line(1.062, 0.032, "Machine:"));
}

static void test_poor_input(void)
{
	scene_check(scene_poor(), ITP_FORMAT_TEXT, 80, "poor-80.txt");
}

static void test_faster_run(void)
{
	static const struct spec faster[] = {
		{ "prog", "main", 10, 4 * S, 4 * S, 5, 1 * S, 1 * S },
	};
	struct scene *scene = scene_new("good.data", "slow.data");
	struct itp_ranked_path *path = scene_path(scene, "prog", faster, 1, 0);

	path->delta = (struct itp_delta){ .more_calls_ns = -2 * S, .slower_calls_ns = -1 * S };
	scene_fold(scene, 1, -9);
	scene_check(scene, ITP_FORMAT_TEXT, 80, "faster-80.txt");
}

static void test_calls_and_paper(void)
{
	struct scene *scene = scene_comparison();

	scene->ranking.options.metric = ITP_METRIC_COUNT;
	scene->ranking.options.method = ITP_METHOD_PAPER;
	for (guint i = 0; i < scene->ranking.paths->len; i++) {
		struct itp_ranked_path *path =
			&g_array_index(scene->ranking.paths, struct itp_ranked_path, i);

		path->cost = path->frames[0].suspect->count - path->frames[0].base->count;
		path->ranked_value = path->cost;
		path->suspect_value = (int64_t)path->frames[0].suspect->count;
		path->base_value = (int64_t)path->frames[0].base->count;
		g_array_set_size(path->started, 0);
	}
	scene_check(scene, ITP_FORMAT_TEXT, 80, "calls-paper-80.txt");
}

/* Of path 1 nothing is known, of path 2 that it is more in the suspect. */
static void test_unknown_calls(void)
{
	struct scene *scene = scene_comparison();
	struct itp_ranked_path *path =
		&g_array_index(scene->ranking.paths, struct itp_ranked_path, 0);

	path->suspect_unseen = ITP_CALLS_UNKNOWN;
	path->base_unseen = ITP_CALLS_UNKNOWN;
	path[1].suspect_calls = 400;
	path[1].suspect_unseen = ITP_CALLS_UNKNOWN;
	path[1].base_unseen = 60;
	scene_check(scene, ITP_FORMAT_TEXT, 80, "unknown-calls-80.txt");
}

static void test_unknown_calls_of_one(void)
{
	struct scene *scene = scene_single();
	struct itp_ranked_path *path =
		&g_array_index(scene->ranking.paths, struct itp_ranked_path, 0);

	path->suspect_unseen = ITP_CALLS_UNKNOWN;
	scene_check(scene, ITP_FORMAT_TEXT, 80, "unknown-calls-single-80.txt");
}

static void test_never_wider(void)
{
	struct scene *scene = scene_hostile();

	for (unsigned int width = 60; width <= 200; width += 7) {
		g_autofree char *output = scene_rendered(scene, ITP_FORMAT_TEXT, width, true);

		check_widths(output, width);
	}
	scene_free(scene);
}

static void test_narrowest(void)
{
	struct scene *scene = scene_comparison();
	g_autofree char *narrow = scene_rendered(scene, ITP_FORMAT_TEXT, 0, false);
	g_autofree char *least = scene_rendered(scene, ITP_FORMAT_TEXT, 60, false);

	g_assert_cmpstr(narrow, ==, least);
	scene_free(scene);
}

static void test_long_path(void)
{
	enum {
		FRAMES = 1024
	};
	g_autofree struct spec *specs = g_new0(struct spec, FRAMES);
	struct scene *scene = scene_new(NULL, "deep.data");
	g_autofree char *output = NULL;

	for (size_t i = 0; i < FRAMES; i++) {
		specs[i] = (struct spec){ "deep", "recurse", 0, 0, 0, 1, S, i == 600 ? S : 0 };
	}
	specs[0].name = "main";
	specs[700].name = "guilty";
	specs[FRAMES - 1].name = "leaf";
	scene_path(scene, "deep", specs, FRAMES, 700);
	output = scene_rendered(scene, ITP_FORMAT_TEXT, 80, false);
	scene_check_output(output, "deep-80.txt");
	scene_free(scene);
}

static void test_changes(void)
{
	scene_check(scene_changes(), ITP_FORMAT_TEXT, 80, "changes-80.txt");
}

static void test_all_chance(void)
{
	struct scene *scene = scene_new("good.data", "same.data");
	g_autofree char *output = NULL;

	scene_path(scene, "nginx", scene_read, READ_FRAMES, -1);
	scene_fold(scene, 1, 0.5);
	output = scene_rendered(scene, ITP_FORMAT_TEXT, 200, false);
	g_assert_nonnull(strstr(output, ". 1 difference: none sure, none likely.\n"));
	g_assert_nonnull(strstr(output, "\n ~1 "));
	g_assert_null(strstr(output, "explains"));
	scene_free(scene);
}

/* Of many rows that may be chance, three are shown. */
static void test_chance_is_short(void)
{
	struct scene *scene = scene_comparison();
	g_autofree char *output = NULL;

	for (int i = 0; i < 8; i++) {
		scene_path(scene, "nginx", scene_read, READ_FRAMES, -1);
		scene_fold(scene, 1, 0.5);
	}
	output = scene_rendered(scene, ITP_FORMAT_TEXT, 80, false);
	g_assert_nonnull(strstr(output, "\n ~6 "));
	g_assert_null(strstr(output, "\n ~7 "));
	g_assert_nonnull(
		strstr(output, "\nShown: 3 of 3 sure or likely, 3 of 8 that may be chance."));
	scene_free(scene);
}

/* A path without a cost is no row beside others. */
static void test_free_path(void)
{
	const struct spec specs[] = { { "nginx", "idle_main", 1, 0, 0, 1, 0, 0 } };
	struct scene *scene = scene_single();
	g_autofree char *brief = NULL;
	g_autofree char *verbose = NULL;

	scene_path(scene, "nginx", specs, G_N_ELEMENTS(specs), -1)->cost = 0;
	scene->ranking.path_count = 3;
	brief = scene_brief(scene);
	verbose = scene_rendered(scene, ITP_FORMAT_TEXT, 80, false);
	g_assert_null(strstr(brief, "idle_main"));
	g_assert_nonnull(strstr(verbose, "idle_main"));
	scene_free(scene);
}

static void test_per_call(void)
{
	struct scene *scene = scene_comparison();

	scene->ranking.options.per = "call:ngx_http_handler";
	scene->ranking.suspect_units = 1377;
	scene->ranking.base_units = 4012;
	scene_check(scene, ITP_FORMAT_TEXT, 80, "per-call-80.txt");
}

static void test_runs(void)
{
	struct scene *scene = scene_comparison();

	scene->ranking.base_runs = 3;
	scene->ranking.base_units = 3;
	scene->ranking.suspect_runs = 2;
	scene->ranking.suspect_units = 2;
	scene_check(scene, ITP_FORMAT_TEXT, 80, "runs-80.txt");
}

/* Two handlers and a timer lead to one culprit, one of them by two ways. */
static void test_variants(void)
{
	static const struct spec specs[] = {
		{ "shop", "main", 1, S, 0, 1, 3 * S, 0 },
		{ "shop", "serve", 10, S, S / 2, 10, 3 * S, S / 2 },
		{ "shop", "handle_product", 10, S, 0, 10, 2 * S, 0 },
		{ "shop", "price_of", 10, S, 0, 10, 2 * S, 0 },
		{ "shop", "take_lock", 10, S / 4, 0, 10, 2 * S, 2 * S },
	};
	static const char *const cart[] = { "main",     "serve",     "handle_cart",
					    "price_of", "take_lock", NULL };
	static const char *const again[] = { "main",     "serve",     "handle_cart", "retry",
					     "price_of", "take_lock", NULL };
	static const char *const timer[] = { "main", "on_timer", "take_lock", NULL };
	struct scene *scene = scene_new("good.data", "slow.data");

	scene_path(scene, "shop", specs, G_N_ELEMENTS(specs), G_N_ELEMENTS(specs) - 1);
	scene_fold(scene, 5, 9);
	scene_variant(scene, cart);
	scene_variant(scene, again);
	scene_variant(scene, timer);
	scene_check(scene, ITP_FORMAT_TEXT, 80, "variants-80.txt");
}

static void test_functions(void)
{
	scene_check(scene_functions(ITP_RANK_BY_FUNCTION), ITP_FORMAT_TEXT, 80, "functions-80.txt");
}

/* The path has 9.48 s more. */
static void test_more_than_the_difference(void)
{
	struct scene *scene = scene_new("good.data", "slow.data");
	g_autofree char *all = NULL;
	g_autofree char *more = NULL;

	scene_path(scene, "nginx", scene_gzip, GZIP_FRAMES, GZIP_CULPRIT);
	scene->ranking.suspect_own_ns -= 40 * MS;
	all = scene_rendered(scene, ITP_FORMAT_TEXT, 300, false);
	g_assert_nonnull(strstr(all, ": +9.44 s, of which path 1 explains 100 %: ngx_http"));
	scene->ranking.suspect_own_ns -= 360 * MS;
	more = scene_rendered(scene, ITP_FORMAT_TEXT, 300, false);
	g_assert_nonnull(strstr(more, ": +9.08 s. Path 1 adds 9.48 s (ngx_http"));
	scene_free(scene);
}

/* Of 14.0 s: 16 s are more than all, as something else got cheaper. */
static void test_shares_end_at_all(void)
{
	struct scene *scene = scene_new("good.data", "slow.data");
	g_autofree char *half = NULL;
	g_autofree char *more = NULL;

	scene_path(scene, "nginx", scene_gzip, GZIP_FRAMES, GZIP_CULPRIT);
	scene->ranking.suspect_own_ns += 4520 * MS;
	scene->ranking.trunk = (struct itp_trunk){
		.function = scene_function(scene, "nginx", "serve"),
		.process = g_array_index(scene->ranking.paths, struct itp_ranked_path, 0).process,
		.delta_ns = 7 * S,
	};
	half = scene_rendered(scene, ITP_FORMAT_TEXT, 300, false);
	g_assert_nonnull(strstr(half, "; 50 % lies below serve in nginx"));
	scene->ranking.trunk.delta_ns = 16 * S;
	more = scene_rendered(scene, ITP_FORMAT_TEXT, 300, false);
	g_assert_nonnull(strstr(more, "; +16.0 s lies below serve in nginx"));
	scene_free(scene);
}

/* 95 % of the difference, which is smaller by as much as something else got cheaper. */
static void test_shares_of_functions_end_at_all(void)
{
	struct scene *scene = scene_functions(ITP_RANK_BY_FUNCTION);
	g_autofree char *text = NULL;

	scene->ranking.suspect_own_ns -= 2 * S;
	text = scene_rendered(scene, ITP_FORMAT_TEXT, 300, false);
	g_assert_nonnull(strstr(text, "libz.so.1 (library); 3.00 s"));
	g_assert_nonnull(strstr(text, "% of the difference"));
	scene_free(scene);
}

/* A tick each 1 ms, and nothing else. */
static void test_only_ticks(void)
{
	struct scene *scene = scene_single();
	struct itp_infer_counts *counts = &scene->suspect->workload.counts;
	g_autofree char *text = NULL;

	counts->watched = ITP_WATCHED_TOLD | ITP_WATCHED_TICKS;
	counts->timer_samples = 9600;
	counts->tick_ns = 9600 * MS;
	text = scene_rendered(scene, ITP_FORMAT_TEXT, 300, false);
	g_assert_nonnull(strstr(text, "  only ticks\n"));
	g_assert_nonnull(strstr(text, "\nOwn CPU time of all threads together is "));
	g_assert_nonnull(strstr(text, "one each 1.0 ms of CPU time"));
	g_assert_nonnull(strstr(text, "  ticks  where\n"));
	g_assert_null(strstr(text, "really between"));
	g_assert_null(strstr(text, "  complete"));
	scene_free(scene);
}

static void test_order_of_functions(void)
{
	struct scene *scene = scene_functions(ITP_RANK_BY_FUNCTION);
	g_autofree char *output = NULL;

	scene->ranking.options.metric = ITP_METRIC_COUNT;
	g_array_index(scene->ranking.rows, struct itp_ranked_row, 0).ranked_value = -2635;
	output = scene_rendered(scene, ITP_FORMAT_TEXT, 200, false);
	g_assert_nonnull(strstr(
		output, "3.00 s \u2192 10.0 s with what it calls; ranked by \u22122 635 calls\n"));
	scene_free(scene);
}

/* Of 9.48 s. */
static void test_order_of_paths(void)
{
	static const char note[] = "; ranked by +9.00 s, without waiting for a CPU; ";
	struct scene *scene = scene_comparison();
	struct itp_ranked_path *path =
		&g_array_index(scene->ranking.paths, struct itp_ranked_path, 0);
	g_autofree char *told = NULL;
	g_autofree char *untold = NULL;

	path->ranked_value = 9 * S;
	told = scene_rendered(scene, ITP_FORMAT_TEXT, 300, false);
	g_assert_nonnull(strstr(told, note));
	path->ranked_value = 9100 * MS;
	untold = scene_rendered(scene, ITP_FORMAT_TEXT, 300, false);
	g_assert_null(strstr(untold, "ranked by"));
	scene_free(scene);
}

/* Whoever has not asked for more is told the number where the order looks wrong: the second path
 * costs 9.48 s, too, and more than the first here. */
static void test_order_looks_wrong(void)
{
	struct scene *scene = scene_comparison();
	struct itp_ranked_path *first =
		&g_array_index(scene->ranking.paths, struct itp_ranked_path, 0);
	g_autofree char *right = NULL;
	g_autofree char *wrong = NULL;

	first->ranked_value = S;
	right = scene_brief(scene);
	g_assert_null(strstr(right, "ranked by"));
	first->cost = 1;
	first->ranked_value = 5 * S;
	wrong = scene_brief(scene);
	g_assert_nonnull(strstr(wrong, "ranked by +5.00 s, without"));
	scene_free(scene);
}

static void take_ticks(struct scene *scene)
{
	struct itp_workload *workload = &scene->suspect->workload;

	workload->counts.timer_samples = 9000;
	g_free(workload->options);
	workload->options = g_strdup("continuity=call-site estimate=best");
}

/* Of 9.60 s: 1 % is 96 ms, so that twice 47 ms are not worth a word. */
static void test_ticks_of_paths(void)
{
	static const char note[] =
		"blocked in clock_nanosleep; CPU time 2.40 s \u00b1 96 ms (1 204 ticks)\n";
	struct scene *scene = scene_single();
	struct itp_ranked_path *path =
		&g_array_index(scene->ranking.paths, struct itp_ranked_path, 0);
	g_autofree char *none = NULL;
	g_autofree char *told = NULL;
	g_autofree char *small = NULL;

	path->delta.use.cpu_ns = 2400 * MS;
	path->ticks = (struct itp_ticks){ .samples = 1204, .variance_us2 = 48000ULL * 48000 };
	none = scene_rendered(scene, ITP_FORMAT_TEXT, 200, false);
	g_assert_null(strstr(none, "ticks"));
	take_ticks(scene);
	told = scene_rendered(scene, ITP_FORMAT_TEXT, 200, false);
	g_assert_nonnull(strstr(told, note));
	path->ticks.variance_us2 = 47000ULL * 47000;
	small = scene_rendered(scene, ITP_FORMAT_TEXT, 200, false);
	g_assert_null(strstr(small, "ticks"));
	scene_free(scene);
}

static void test_ticks_of_functions(void)
{
	struct scene *scene = scene_functions(ITP_RANK_BY_FUNCTION);
	struct itp_ranked_row *row = &g_array_index(scene->ranking.rows, struct itp_ranked_row, 1);
	g_autofree char *output = NULL;
	g_autofree char *lines = NULL;

	row->ticks = (struct itp_ticks){ .samples = 1, .variance_us2 = 4000ULL * 4000 };
	scene->ranking.base = NULL;
	take_ticks(scene);
	output = scene_rendered(scene, ITP_FORMAT_TEXT, 200, false);
	g_assert_nonnull(
		strstr(output, "with what it calls; CPU time 500 ms \u00b1 8.0 ms (1 tick)\n"));
	lines = scene_rendered(scene, ITP_FORMAT_JSONL, 200, false);
	g_assert_nonnull(strstr(lines, "\"samples\":1,\"own_deviation_ns\":4000000,"
				       "\"base_samples\":0,\"base_own_deviation_ns\":null"));
	scene_free(scene);
}

static void test_waits(void)
{
	struct scene *scene = scene_waits();

	scene_check(scene_waits(), ITP_FORMAT_TEXT, 80, "waits-80.txt");
	scene->ranking.base = NULL;
	scene_check(scene, ITP_FORMAT_TEXT, 60, "waits-single-60.txt");
}

static void test_without_wakeups(void)
{
	struct scene *scene = scene_waits();
	g_autofree char *output = NULL;

	scene->ranking.suspect_runs = 2;
	scene->ranking.base_runs = 1;
	scene->ranking.held_up->without_wakeups = 1;
	output = scene_rendered(scene, ITP_FORMAT_TEXT, 200, false);
	g_assert_nonnull(strstr(output, "\n1 of 3 recordings has no wakeups: who waited for whom"));
	scene_free(scene);
}

static void test_modules(void)
{
	scene_check(scene_functions(ITP_RANK_BY_MODULE), ITP_FORMAT_TEXT, 80, "modules-80.txt");
}

static void test_processes(void)
{
	scene_check(scene_processes(false), ITP_FORMAT_TEXT, 80, "processes-80.txt");
	scene_check(scene_processes(true), ITP_FORMAT_TEXT, 80, "processes-single-80.txt");
}

static void test_doubts(void)
{
	struct scene *scene = scene_comparison();
	g_autofree char *output = NULL;

	scene->ranking.doubts = ITP_DOUBT_OTHER_PROGRAMS | ITP_DOUBT_LENGTH;
	output = scene_rendered(scene, ITP_FORMAT_TEXT, 100, false);
	g_assert_nonnull(strstr(output,
				"\nDoubtful comparison: most of the suspect's time is in "
				"programs that the base did not run; where two\n"
				"  are one, say so with pair=BASE=SUSPECT.\n"
				"Doubtful comparison: one ran more than ten times as long"));
	g_assert_null(strstr(output, "no calling context"));
	scene_free(scene);
}

/* What waits for another is told there, and has no row. */
static void test_effects(void)
{
	struct scene *scene = scene_comparison();
	struct itp_ranked_path *paths = (void *)scene->ranking.paths->data;
	g_autofree char *output = NULL;

	paths[0].is_waited_for = true;
	paths[1].waits_for = 1;
	output = scene_rendered(scene, ITP_FORMAT_TEXT, 140, false);
	g_assert_nonnull(strstr(output, "::invoke in redis-server waits for it: +1.00 s;"));
	g_assert_null(strstr(output, "\n 2 "));
	scene_free(scene);
}

static void test_architectures(void)
{
	struct scene *scene = scene_comparison();
	g_autofree char *output = NULL;

	scene->ranking.doubts = ITP_DOUBT_ARCHITECTURES;
	scene->ranking.base->workload.architecture = g_strdup("x86_64");
	scene->ranking.suspect->workload.architecture = g_strdup("aarch64");
	output = scene_rendered(scene, ITP_FORMAT_TEXT, 100, false);
	g_assert_nonnull(strstr(output, "\nDoubtful comparison: the base was recorded on x86_64, "
					"the suspect on aarch64, so"));
	scene_free(scene);
}

static void test_a_doubted_wait(void)
{
	struct scene *scene = scene_comparison();
	g_autofree char *output = NULL;

	scene_idle(scene, "nagle", "syscall:read", 10 * MS, 4350 * MS);
	scene->ranking.doubts = ITP_DOUBT_IDLE;
	scene->ranking.doubted_wait = scene->ranking.idle->len - 1;
	output = scene_rendered(scene, ITP_FORMAT_TEXT, 200, false);
	g_assert_nonnull(strstr(output, "\nDoubtful comparison: nagle waited 4.34 s longer"));
	g_assert_nonnull(strstr(output, "rank such waits with idle=\"ranked\"."));
	scene_free(scene);
}

static void test_only_idle(void)
{
	struct scene *scene = scene_new(NULL, "slow.data");
	g_autofree char *output = NULL;

	scene_idle(scene, "nginx", "syscall:epoll_wait", 0, 10900 * MS);
	output = scene_rendered(scene, ITP_FORMAT_TEXT, 80, false);
	g_assert_nonnull(strstr(output, "\nAll there was is waiting for work"));
	g_assert_nonnull(strstr(output, "\nIdle, not ranked: nginx epoll_wait 10.9 s."));
	scene_free(scene);
}

int main(int argc, char **argv)
{
	g_test_init(&argc, &argv, NULL);
	g_test_set_nonfatal_assertions();
	g_test_add_func("/render/a comparison in 80 columns", test_comparison);
	g_test_add_func("/render/one screen for who has not asked for more", test_brief);
	g_test_add_func("/render/a wide terminal shows more of each path", test_comparison_wide);
	g_test_add_func("/render/a narrow terminal still shows every path", test_comparison_narrow);
	g_test_add_func("/render/widths below 60 count as 60", test_narrowest);
	g_test_add_func("/render/a recording alone has shares", test_single);
	g_test_add_func("/render/workloads of one name are told apart", test_equal_names);
	g_test_add_func("/render/a ranking without paths says so", test_nothing_to_rank);
	g_test_add_func("/render/incomplete inputs are named in first and last lines",
			test_incomplete_input);
	g_test_add_func("/render/a slower machine is told", test_a_slower_machine);
	g_test_add_func("/render/broken stacks and missing names are explained where they matter",
			test_poor_input);
	g_test_add_func("/render/an error that ended the run is said first", test_ended_by_error);
	g_test_add_func("/render/who kept it waiting and ended that is named once",
			test_kept_by_the_waker);
	g_test_add_func("/render/who ended most of a wait may not be recorded",
			test_most_ends_unseen);
	g_test_add_func("/render/a faster run is not called slower", test_faster_run);
	g_test_add_func("/render/metric and method are stated", test_calls_and_paper);
	g_test_add_func("/render/text says where calls are not known", test_unknown_calls);
	g_test_add_func("/render/text says how many calls of one workload are known",
			test_unknown_calls_of_one);
	g_test_add_func("/render/no line is wider than the terminal", test_never_wider);
	g_test_add_func("/render/a path of 1024 frames takes two lines", test_long_path);
	g_test_add_func("/render/variants are named by what tells them apart", test_variants);
	g_test_add_func("/render/savings, moved, vanished, rare and what is chance are told apart",
			test_changes);
	g_test_add_func("/render/two equal runs differ by chance alone", test_all_chance);
	g_test_add_func("/render/of what may be chance three rows are shown", test_chance_is_short);
	g_test_add_func("/render/a hundredth of a wait is no quota's", test_quotas);
	g_test_add_func("/render/a row that looks misplaced says what it is ranked by",
			test_order_looks_wrong);
	g_test_add_func("/render/what costs nothing is no row beside others", test_free_path);
	g_test_add_func("/render/times of a unit of work say which", test_per_call);
	g_test_add_func("/render/times of several runs are those of one", test_runs);
	g_test_add_func("/render/functions instead of paths", test_functions);
	g_test_add_func("/render/modules instead of paths", test_modules);
	g_test_add_func("/render/processes instead of paths", test_processes);
	g_test_add_func("/render/what costs more than the difference is not all of it",
			test_more_than_the_difference);
	g_test_add_func("/render/shares end at all of the difference", test_shares_end_at_all);
	g_test_add_func("/render/so do those of functions", test_shares_of_functions_end_at_all);
	g_test_add_func("/render/ticks alone tell CPU time", test_only_ticks);
	g_test_add_func("/render/a path alone says how well its CPU time is known",
			test_ticks_of_paths);
	g_test_add_func("/render/what holds up others", test_waits);
	g_test_add_func("/render/recordings without wakeups", test_without_wakeups);
	g_test_add_func("/render/functions alone say it too", test_ticks_of_functions);
	g_test_add_func("/render/functions say what else they are ranked by",
			test_order_of_functions);
	g_test_add_func("/render/paths say that they are ranked without waiting for a CPU",
			test_order_of_paths);
	g_test_add_func("/render/a comparison that makes little sense says why", test_doubts);
	g_test_add_func("/render/a workload that only waits says so", test_only_idle);
	g_test_add_func("/render/what waits for another has no row", test_effects);
	g_test_add_func("/render/two kinds of machines are doubted", test_architectures);
	g_test_add_func("/render/a wait that explains the length is told", test_a_doubted_wait);
	return g_test_run();
}
