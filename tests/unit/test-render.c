/* SPDX-License-Identifier: MIT */
/*
 * Tests of common/render with rankings made by hand. Expected outputs lie in render/ beside this
 * file; with ITP_REWRITE_EXPECTED set in the environment they are written instead of compared,
 * to be read before they are kept.
 */
#include "common/render/render.h"

#include <jansson.h>
#include <string.h>

#include "common/render/labels.h"
#include "common/render/units.h"

#define MS INT64_C(1000000)
#define S INT64_C(1000000000)

/* A ranking in the making. */
struct scene {
	struct itp_function_table *functions;
	struct itp_profile *base;
	struct itp_profile *suspect;
	struct itp_ranking ranking;
	/* struct itp_node_stats * of all frames. */
	GPtrArray *stats;
	/* Each frame of each path is a context of its own unless a test says otherwise. */
	uint32_t next_node;
};

/* One frame: latencies in both runs. */
struct spec {
	const char *module;
	const char *name;
	uint64_t base_count;
	int64_t base_total_ns;
	int64_t base_own_ns;
	uint64_t count;
	int64_t total_ns;
	int64_t own_ns;
};

static void path_clear(gpointer path)
{
	g_free(((struct itp_ranked_path *)path)->frames);
}

static struct itp_profile *profile_new(const char *name)
{
	struct itp_profile *profile = itp_profile_new(name);

	profile->workload.counts = (struct itp_infer_counts){
		.begin_ns = 5 * S,
		.end_ns = 17 * S,
		.threads = 4,
		.events = 122408,
		.stacks = 61204,
	};
	profile->workload.complete = true;
	g_free(profile->workload.options);
	profile->workload.options =
		g_strdup("continuity=call-site group-by=process estimate=conservative");
	return profile;
}

static struct scene *scene_new(const char *base, const char *suspect)
{
	struct scene *scene = g_new0(struct scene, 1);

	scene->functions = itp_function_table_new();
	scene->base = base == NULL ? NULL : profile_new(base);
	scene->suspect = profile_new(suspect);
	scene->stats = g_ptr_array_new_with_free_func(g_free);
	scene->ranking.functions = scene->functions;
	scene->ranking.base = scene->base;
	scene->ranking.suspect = scene->suspect;
	scene->ranking.paths = g_array_new(FALSE, TRUE, sizeof(struct itp_ranked_path));
	g_array_set_clear_func(scene->ranking.paths, path_clear);
	return scene;
}

static void scene_free(struct scene *scene)
{
	g_array_free(scene->ranking.paths, TRUE);
	g_ptr_array_free(scene->stats, TRUE);
	itp_profile_free(scene->base);
	itp_profile_free(scene->suspect);
	itp_function_table_free(scene->functions);
	g_free(scene);
}

static const struct itp_node_stats *stats(struct scene *scene, uint64_t count, int64_t total_ns,
					  int64_t own_ns)
{
	struct itp_node_stats *made = g_new0(struct itp_node_stats, 1);

	made->count = count;
	made->max_count = count;
	made->total_ns = total_ns;
	made->own_ns = own_ns;
	made->lower_ns = total_ns - total_ns / 100;
	made->upper_ns = total_ns + total_ns / 50;
	made->min_ns = count == 0 ? 0 : total_ns / (int64_t)count / 2;
	made->max_ns = count == 0 ? 0 : total_ns / (int64_t)count * 2;
	made->use.blocked_ns = total_ns;
	made->own_use.blocked_ns = own_ns;
	g_ptr_array_add(scene->stats, made);
	return made;
}

static void set_frame(struct scene *scene, struct itp_ranked_frame *frame, const struct spec *spec)
{
	enum itp_layer layer = g_str_has_prefix(spec->name, "syscall:") ? ITP_LAYER_SYSCALL :
									  ITP_LAYER_USER;

	frame->function = itp_function_table_intern(scene->functions,
						    &(struct itp_function){ .name = spec->name,
									    .module = spec->module,
									    .build_id = "",
									    .layer = layer });
	frame->node = ++scene->next_node;
	frame->suspect = stats(scene, spec->count, spec->total_ns, spec->own_ns);
	frame->value = spec->own_ns;
	if (scene->base != NULL) {
		frame->base =
			stats(scene, spec->base_count, spec->base_total_ns, spec->base_own_ns);
		frame->base_value = spec->base_own_ns;
	}
}

/* Ranks inside the path as the core gives them: by share of the cost, then from the root. */
static void set_ranks(struct itp_ranked_path *path)
{
	for (uint32_t i = 0; i < path->frame_count; i++) {
		int64_t cost = path->frames[i].value - path->frames[i].base_value;

		path->frames[i].rank = 1;
		for (uint32_t j = 0; j < path->frame_count; j++) {
			int64_t other = path->frames[j].value - path->frames[j].base_value;

			if (other > cost || (other == cost && j < i)) {
				path->frames[i].rank++;
			}
		}
	}
}

/* Adds a path whose Δ is all "each call slower" and blocked. */
static struct itp_ranked_path *add_path(struct scene *scene, const char *process,
					const struct spec *specs, size_t count, int32_t culprit)
{
	struct itp_ranked_path path = {
		.rank = scene->ranking.paths->len + 1,
		.frames = g_new0(struct itp_ranked_frame, count),
		.frame_count = (uint32_t)count,
		.culprit = culprit,
		.process = itp_function_table_intern(
			scene->functions, &(struct itp_function){ .name = process,
								  .module = "",
								  .build_id = "",
								  .layer = ITP_LAYER_PROCESS }),
	};

	for (size_t i = 0; i < count; i++) {
		set_frame(scene, &path.frames[i], &specs[i]);
		path.suspect_value += path.frames[i].value;
		path.base_value += path.frames[i].base_value;
	}
	path.cost = path.suspect_value - path.base_value;
	path.delta.slower_calls_ns = path.cost;
	path.delta.use.blocked_ns = path.cost;
	set_ranks(&path);
	scene->ranking.suspect_own_ns += path.suspect_value;
	scene->ranking.base_own_ns += path.base_value;
	g_array_append_val(scene->ranking.paths, path);
	scene->ranking.path_count = 41;
	return &g_array_index(scene->ranking.paths, struct itp_ranked_path,
			      scene->ranking.paths->len - 1);
}

static const struct spec gzip_path[] = {
	{ "nginx", "_start", 1, 12 * S, 0, 1, 12 * S, 0 },
	{ "libc.so.6", "__libc_start_main", 1, 12 * S, 0, 1, 12 * S, 0 },
	{ "nginx", "main", 1, 12 * S, 20 * MS, 1, 12 * S, 20 * MS },
	{ "nginx", "ngx_master_process_cycle", 1, 12 * S, 0, 1, 12 * S, 0 },
	{ "nginx", "ngx_worker_process_cycle", 1, 12 * S, 0, 1, 12 * S, 0 },
	{ "nginx", "ngx_process_events_and_timers", 4012, 11 * S, 0, 1377, 12 * S, 0 },
	{ "nginx", "ngx_http_handler", 4012, 410 * MS, 90 * MS, 1377, 9930 * MS, 30 * MS },
	{ "nginx", "ngx_http_copy_filter", 4012, 310 * MS, 10 * MS, 1377, 9880 * MS, 10 * MS },
	{ "nginx", "ngx_http_gzip_body_filter", 4012, 300 * MS, 0, 1377, 9870 * MS, 20 * MS },
	{ "libc.so.6", "nanosleep", 0, 0, 0, 1377, 9520 * MS, 0 },
	{ "[kernel]", "syscall:clock_nanosleep", 0, 0, 0, 1377, 9520 * MS, 10 * MS },
	{ "[kernel]", "do_nanosleep", 0, 0, 0, 1377, 9510 * MS, 0 },
	{ "[kernel]", "schedule", 0, 0, 0, 1377, 9510 * MS, 9510 * MS },
};

static const struct spec read_path[] = {
	{ "nginx", "main", 1, 12 * S, 0, 1, 12 * S, 0 },
	{ "libc.so.6", "read", 4012, 410 * MS, 100 * MS, 16048, 1640 * MS, 400 * MS },
};

static const struct spec scan_path[] = {
	{ "redis-server",
	  "std::_Function_handler<void (std::string const&), "
	  "engine::Keyspace::scan(engine::Cursor&)::{lambda(std::string const&)#1}>::_M_invoke",
	  40, 4 * MS, 4 * MS, 40, 1004 * MS, 1004 * MS },
};

static struct scene *comparison(void)
{
	struct scene *scene = scene_new("good.data", "slow.data");
	struct itp_ranked_path *path;

	scene->suspect->workload.counts.broken_stacks = 122;
	add_path(scene, "nginx", gzip_path, G_N_ELEMENTS(gzip_path), 8)->novelty = ITP_NOVELTY_NEW;
	path = add_path(scene, "redis-server", scan_path, G_N_ELEMENTS(scan_path), 0);
	path->delta.use = (struct itp_time_use){ .cpu_ns = path->cost };
	path = add_path(scene, "nginx", read_path, G_N_ELEMENTS(read_path), -1);
	path->delta = (struct itp_delta){ .more_calls_ns = path->cost };
	return scene;
}

static char *rendered(const struct scene *scene, enum itp_format format, unsigned int width,
		      bool incomplete)
{
	const struct itp_render_options options = {
		.format = format,
		.width = width,
		.incomplete = incomplete,
	};
	GString *output = g_string_new(NULL);

	itp_render_ranking(&scene->ranking, &options, output);
	return g_string_free(output, FALSE);
}

/* Compares with the file `name` in render/. */
static void check_expected(const char *output, const char *name)
{
	const char *source = g_getenv("ITP_SOURCE_DIR");
	g_autofree char *path = g_build_filename(source == NULL ? "." : source, "tests", "unit",
						 "render", name, NULL);
	g_autofree char *expected = NULL;

	if (g_getenv("ITP_REWRITE_EXPECTED") != NULL) {
		g_assert_true(g_file_set_contents(path, output, -1, NULL));
		return;
	}
	g_assert_true(g_file_get_contents(path, &expected, NULL, NULL));
	g_assert_cmpstr(output, ==, expected);
}

static void check_scene(struct scene *scene, enum itp_format format, unsigned int width,
			const char *name)
{
	g_autofree char *output = rendered(scene, format, width, false);

	check_expected(output, name);
	scene_free(scene);
}

static void check_widths(const char *output, unsigned int width)
{
	g_auto(GStrv) lines = g_strsplit(output, "\n", -1);

	for (char **line = lines; *line != NULL; line++) {
		g_assert_true(g_utf8_validate(*line, -1, NULL));
		g_assert_cmpuint(itp_label_columns(*line), <=, width);
	}
}

/* ---- Units and labels ---- */

static void test_times(void)
{
	static const struct {
		int64_t time_ns;
		const char *text;
	} cases[] = {
		{ 0, "0 s" },
		{ 1, "1 ns" },
		{ 999, "999 ns" },
		{ 1000, "1.0 µs" },
		{ 9949, "9.9 µs" },
		{ 9950, "10 µs" },
		{ 812000, "812 µs" },
		{ 999499, "999 µs" },
		{ 999500, "1.0 ms" },
		{ 6900000, "6.9 ms" },
		{ 31 * MS, "31 ms" },
		{ 999499999, "999 ms" },
		{ 999500000, "1.00 s" },
		{ 9520 * MS, "9.52 s" },
		{ 9995 * MS, "10.0 s" },
		{ 12 * S, "12.0 s" },
		{ 99950 * MS, "100 s" },
		{ 999 * S, "999 s" },
		{ 1000 * S, "16.7 min" },
		{ 6000 * S, "1.67 h" },
		{ INT64_MAX, "2562048 h" },
		{ INT64_MIN, "−2562048 h" },
		{ -9520 * MS, "−9.52 s" },
	};

	for (size_t i = 0; i < G_N_ELEMENTS(cases); i++) {
		g_autofree char *text = itp_units_time(cases[i].time_ns);

		g_assert_cmpstr(text, ==, cases[i].text);
	}
}

static void test_changes(void)
{
	g_autofree char *more = itp_units_time_change(9520 * MS);
	g_autofree char *less = itp_units_time_change(-812000);
	g_autofree char *same = itp_units_time_change(0);
	g_autofree char *fewer_calls = itp_units_count_change(-1377);

	g_assert_cmpstr(more, ==, "+9.52 s");
	g_assert_cmpstr(less, ==, "−812 µs");
	g_assert_cmpstr(same, ==, "0 s");
	g_assert_cmpstr(fewer_calls, ==, "−1 377");
}

static void test_counts(void)
{
	static const struct {
		uint64_t count;
		const char *text;
	} cases[] = {
		{ 0, "0" },
		{ 999, "999" },
		{ 1377, "1 377" },
		{ 61204, "61 204" },
		{ 1294078, "1 294 078" },
		{ 9999999, "9 999 999" },
		{ 10000000, "10.0 M" },
		{ 999999999, "1.00 G" },
		{ UINT64_MAX, "18.4 E" },
	};

	for (size_t i = 0; i < G_N_ELEMENTS(cases); i++) {
		g_autofree char *text = itp_units_count(cases[i].count);

		g_assert_cmpstr(text, ==, cases[i].text);
	}
}

static void test_ratios_and_shares(void)
{
	static const struct {
		double value;
		double base;
		const char *ratio;
		const char *share;
	} cases[] = {
		{ 1, 1000000, "×<0.01", "<0.1 %" }, { 1, 20, "×0.05", "5.0 %" },
		{ 0, 1, "×<0.01", "0 %" },          { 3, 10, "×0.3", "30 %" },
		{ 2, 1000, "×<0.01", "0.2 %" },     { 999, 1000, "×1.0", ">99 %" },
		{ 1, 1, "×1.0", "100 %" },          { 44, 10, "×4.4", "440 %" },
		{ 22, 1, "×22", "2200 %" },         { 12345, 1, "×12k", "1234500 %" },
	};

	for (size_t i = 0; i < G_N_ELEMENTS(cases); i++) {
		g_autofree char *ratio = itp_units_ratio(cases[i].value, cases[i].base);
		g_autofree char *share = itp_units_share(cases[i].value, cases[i].base);

		g_assert_cmpstr(ratio, ==, cases[i].ratio);
		g_assert_cmpstr(share, ==, cases[i].share);
	}
}

static void test_clean_labels(void)
{
	g_autofree char *escape = itp_label_clean("a\x1b[31mb\nc\td");
	g_autofree char *invalid = itp_label_clean("x\xff\xfey");
	g_autofree char *direction = itp_label_clean("a\u202eb");
	g_autofree char *empty = itp_label_clean("");

	g_assert_cmpstr(escape, ==, "a\ufffd[31mb\ufffdc d");
	g_assert_cmpstr(invalid, ==, "x\ufffd\ufffdy");
	g_assert_cmpstr(direction, ==, "a\ufffdb");
	g_assert_cmpstr(empty, ==, "?");
}

static void test_shortened_labels(void)
{
	g_autofree char *fits = itp_label_shorten("handler", 7);
	g_autofree char *middle = itp_label_shorten("ns::Class<int, char>::method", 11);
	g_autofree char *wide = itp_label_shorten("漢字漢字漢字", 7);
	g_autofree char *least = itp_label_shorten("handler", 1);

	g_assert_cmpstr(fits, ==, "handler");
	g_assert_cmpstr(middle, ==, "ns::C…ethod");
	g_assert_cmpstr(wide, ==, "漢…字");
	g_assert_cmpstr(least, ==, "…");
}

/* ---- Text ---- */

static void test_comparison(void)
{
	check_scene(comparison(), ITP_FORMAT_TEXT, 80, "comparison-80.txt");
}

static void test_comparison_wide(void)
{
	check_scene(comparison(), ITP_FORMAT_TEXT, 140, "comparison-140.txt");
}

static void test_comparison_narrow(void)
{
	check_scene(comparison(), ITP_FORMAT_TEXT, 60, "comparison-60.txt");
}

static struct scene *single(void)
{
	struct scene *scene = scene_new(NULL, "slow.data");
	struct itp_ranked_path *path;

	add_path(scene, "nginx", gzip_path, G_N_ELEMENTS(gzip_path), 8);
	path = add_path(scene, "nginx", read_path, G_N_ELEMENTS(read_path), -1);
	path->delta.use = (struct itp_time_use){ .runnable_ns = path->cost };
	scene->ranking.path_count = 2;
	return scene;
}

static void test_single(void)
{
	check_scene(single(), ITP_FORMAT_TEXT, 80, "single-80.txt");
}

static void test_equal_names(void)
{
	struct scene *scene = scene_new("perf.data", "perf.data");

	add_path(scene, "nginx", read_path, G_N_ELEMENTS(read_path), -1);
	check_scene(scene, ITP_FORMAT_TEXT, 80, "equal-names-80.txt");
}

static void test_nothing_to_rank(void)
{
	struct scene *scene = scene_new("good.data", "slow.data");

	check_scene(scene, ITP_FORMAT_TEXT, 80, "nothing-80.txt");
}

static struct scene *incomplete_input(void)
{
	struct scene *scene = scene_new("good.data", "slow.data");

	scene->base->workload.complete = false;
	scene->base->workload.counts.cut = true;
	scene->suspect->workload.complete = false;
	scene->suspect->workload.counts.losses = 3;
	scene->suspect->workload.counts.lost_events = 12;
	scene->suspect->workload.counts.broken_stacks = 122;
	add_path(scene, "nginx", read_path, G_N_ELEMENTS(read_path), 1);
	return scene;
}

static void test_incomplete_input(void)
{
	check_scene(incomplete_input(), ITP_FORMAT_TEXT, 80, "incomplete-80.txt");
}

/* Stacks that were copied, one side of them not deep enough, and a program without symbols. */
static struct scene *poor_input(void)
{
	struct scene *scene = scene_new("good.data", "slow.data");
	struct itp_infer_counts *base = &scene->base->workload.counts;
	struct itp_infer_counts *suspect = &scene->suspect->workload.counts;

	base->broken_stacks = 1897;
	base->deep_stacks = 1775;
	base->unwind_failures = 122;
	base->found_by[ITP_FOUND_BY_RULE] = 60000;
	base->found_by[ITP_FOUND_BY_EXPRESSION] = 1200;
	base->found_by[ITP_FOUND_BY_FRAME_POINTER] = 4;
	suspect->broken_stacks = 3000;
	suspect->deep_stacks = 100;
	suspect->unwind_failures = 2000;
	suspect->found_by[ITP_FOUND_BY_RECORDER] = 61204;
	scene->ranking.base_calls = (struct itp_call_counts){ .calls = 1000, .unnamed = 49 };
	scene->ranking.suspect_calls = (struct itp_call_counts){ .calls = 1000, .unnamed = 312 };
	add_path(scene, "nginx", read_path, G_N_ELEMENTS(read_path), 1);
	return scene;
}

static void test_poor_input(void)
{
	check_scene(poor_input(), ITP_FORMAT_TEXT, 80, "poor-80.txt");
	check_scene(poor_input(), ITP_FORMAT_JSONL, 80, "poor.jsonl");
	check_scene(poor_input(), ITP_FORMAT_CSV, 80, "poor.csv");
}

static void test_ended_by_error(void)
{
	struct scene *scene = comparison();
	g_autofree char *output = rendered(scene, ITP_FORMAT_TEXT, 80, true);

	g_assert_true(g_str_has_prefix(output, "INCOMPLETE: an error ended the run early"));
	g_assert_nonnull(strstr(output, "\nInput: incomplete"));
	scene_free(scene);
}

static void test_faster_run(void)
{
	static const struct spec faster[] = {
		{ "prog", "main", 10, 4 * S, 4 * S, 5, 1 * S, 1 * S },
	};
	struct scene *scene = scene_new("good.data", "slow.data");
	struct itp_ranked_path *path = add_path(scene, "prog", faster, 1, 0);

	path->delta = (struct itp_delta){ .more_calls_ns = -2 * S, .slower_calls_ns = -1 * S };
	check_scene(scene, ITP_FORMAT_TEXT, 80, "faster-80.txt");
}

static void test_calls_and_paper(void)
{
	struct scene *scene = comparison();

	scene->ranking.options.metric = ITP_METRIC_COUNT;
	scene->ranking.options.method = ITP_METHOD_PAPER;
	for (guint i = 0; i < scene->ranking.paths->len; i++) {
		struct itp_ranked_path *path =
			&g_array_index(scene->ranking.paths, struct itp_ranked_path, i);

		path->cost = path->frames[0].suspect->count - path->frames[0].base->count;
		path->suspect_value = (int64_t)path->frames[0].suspect->count;
		path->base_value = (int64_t)path->frames[0].base->count;
	}
	check_scene(scene, ITP_FORMAT_TEXT, 80, "calls-paper-80.txt");
}

/* A scene with everything that a traced machine may call things. */
static struct scene *hostile(void)
{
	g_autofree char *endless = g_strnfill(70000, 'n');
	const struct spec specs[] = {
		{ "a,\"b\".so", "say \"hi\", twice", 1, S, 0, 1, S, 0 },
		{ "new\nline.so", "line\r\nbreak\x1b[2J", 1, S, 0, 1, S, 0 },
		{ "\xff\xfe.so", "bytes \xc3\x28 here", 1, S, 0, 1, 2 * S, S },
		{ "", "", 1, S, 0, 1, S, 0 },
		{ "漢字.so", "漢字漢字漢字漢字漢字漢字漢字漢字漢字漢字", 1, 1, 1, 1, 2, 2 },
		{ "long.so", endless, 1, 1, 1, 1, INT64_MAX / 64, INT64_MAX / 64 },
	};
	struct scene *scene = scene_new("the good, \"old\"\n\xff run with a very long name.data",
					"the slow, \"new\"\n\xff run with a very long name.data");

	for (int32_t culprit = -1; culprit < (int32_t)G_N_ELEMENTS(specs); culprit++) {
		add_path(scene, "pro\ncess, \"x\"\xff", specs, G_N_ELEMENTS(specs), culprit);
	}
	add_path(scene, "no frames", specs, 0, -1);
	return scene;
}

static void test_never_wider(void)
{
	struct scene *scene = hostile();

	for (unsigned int width = 60; width <= 200; width += 7) {
		g_autofree char *output = rendered(scene, ITP_FORMAT_TEXT, width, true);

		check_widths(output, width);
	}
	scene_free(scene);
}

static void test_narrowest(void)
{
	struct scene *scene = comparison();
	g_autofree char *narrow = rendered(scene, ITP_FORMAT_TEXT, 0, false);
	g_autofree char *least = rendered(scene, ITP_FORMAT_TEXT, 60, false);

	g_assert_cmpstr(narrow, ==, least);
	scene_free(scene);
}

/* Three paths to one culprit: two part below it, the third comes from another caller. */
static void test_variants(void)
{
	static const struct spec specs[] = {
		{ "libc.so.6", "libc.so.6+0x271d0", 1, S, 0, 1, 3 * S, 0 },
		{ "shop", "main", 1, S, 0, 1, 3 * S, 0 },
		{ "shop", "serve", 10, S, S / 2, 10, 3 * S, S / 2 },
		{ "shop", "handle_product", 10, S, 0, 10, 2 * S, 0 },
		{ "shop", "price_of", 10, S, 0, 10, 2 * S, 0 },
		{ "shop", "refresh_prices", 10, S, 0, 10, 2 * S, 0 },
		{ "shop", "take_lock", 10, S / 4, 0, 10, 2 * S, 0 },
		{ "libc.so.6", "clock_nanosleep", 0, 0, 0, 10, S, 0 },
		{ "[kernel]", "syscall:clock_nanosleep", 0, 0, 0, 10, S, 0 },
		{ "[kernel]", "__schedule", 0, 0, 0, 10, S, S },
	};
	enum {
		COUNT = G_N_ELEMENTS(specs),
		CULPRIT = 6
	};
	struct spec others[COUNT];
	struct scene *scene = scene_new("good.data", "slow.data");
	struct itp_ranked_path *first;

	memcpy(others, specs, sizeof(specs));
	others[CULPRIT + 1].name = "read";
	others[CULPRIT + 2].name = "syscall:read";
	add_path(scene, "shop", specs, COUNT, CULPRIT);
	add_path(scene, "shop", others, COUNT, CULPRIT);
	others[3].name = "handle_cart";
	add_path(scene, "shop", others, COUNT, CULPRIT);
	first = &g_array_index(scene->ranking.paths, struct itp_ranked_path, 0);
	first[1].frames[CULPRIT].node = first[0].frames[CULPRIT].node;
	scene->ranking.base_own_ns = S;
	scene->ranking.suspect_own_ns = 5 * S;
	check_scene(scene, ITP_FORMAT_TEXT, 80, "variants-80.txt");
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
	add_path(scene, "deep", specs, FRAMES, 700);
	output = rendered(scene, ITP_FORMAT_TEXT, 80, false);
	check_expected(output, "deep-80.txt");
	scene_free(scene);
}

/* ---- CSV ---- */

static void test_csv(void)
{
	check_scene(comparison(), ITP_FORMAT_CSV, 80, "comparison.csv");
}

static void test_csv_single(void)
{
	check_scene(single(), ITP_FORMAT_CSV, 80, "single.csv");
}

/* Fields in a line of CSV, quotes respected. */
static size_t field_count(const char **at)
{
	size_t fields = 1;
	bool quoted = false;

	for (; **at != '\0'; (*at)++) {
		if (**at == '"') {
			quoted = !quoted;
		} else if (**at == ',' && !quoted) {
			fields++;
		} else if (**at == '\n' && !quoted) {
			(*at)++;
			break;
		}
	}
	return fields;
}

static void check_fields(struct scene *scene, size_t wanted_lines)
{
	g_autofree char *output = rendered(scene, ITP_FORMAT_CSV, 80, false);
	const char *at = output;
	size_t fields = field_count(&at);
	size_t lines = 0;

	g_assert_true(g_utf8_validate(output, -1, NULL));
	while (*at != '\0') {
		g_assert_cmpuint(field_count(&at), ==, fields);
		lines++;
	}
	g_assert_cmpuint(lines, ==, wanted_lines);
	scene_free(scene);
}

static void test_csv_fields(void)
{
	check_fields(hostile(), 7 * 6);
	check_fields(single(), G_N_ELEMENTS(gzip_path) + G_N_ELEMENTS(read_path));
	check_fields(scene_new("good.data", "slow.data"), 1);
}

static void test_csv_quotes(void)
{
	struct scene *scene = hostile();
	g_autofree char *output = rendered(scene, ITP_FORMAT_CSV, 80, false);

	g_assert_nonnull(strstr(output, ",\"say \"\"hi\"\", twice\",\"a,\"\"b\"\".so\","));
	g_assert_nonnull(strstr(output, ",\"line\r\nbreak\x1b[2J\",\"new\nline.so\","));
	scene_free(scene);
}

static void test_csv_incomplete(void)
{
	check_scene(incomplete_input(), ITP_FORMAT_CSV, 80, "incomplete.csv");
}

/* ---- JSON lines ---- */

static void test_jsonl(void)
{
	check_scene(comparison(), ITP_FORMAT_JSONL, 80, "comparison.jsonl");
}

static void test_jsonl_single(void)
{
	check_scene(single(), ITP_FORMAT_JSONL, 80, "single.jsonl");
}

static void test_jsonl_incomplete(void)
{
	check_scene(incomplete_input(), ITP_FORMAT_JSONL, 80, "incomplete.jsonl");
}

static void test_jsonl_nothing(void)
{
	check_scene(scene_new("good.data", "slow.data"), ITP_FORMAT_JSONL, 80, "nothing.jsonl");
}

static void test_jsonl_calls(void)
{
	struct scene *scene = comparison();
	g_autofree char *output = NULL;

	scene->ranking.options.metric = ITP_METRIC_COUNT;
	output = rendered(scene, ITP_FORMAT_JSONL, 80, false);
	g_assert_nonnull(strstr(output, "\"rank\":1,\"cost_calls\":"));
	g_assert_null(strstr(output, "\"cost_ns\":"));
	scene_free(scene);
}

static void test_jsonl_hostile(void)
{
	struct scene *scene = hostile();
	g_autofree char *output = rendered(scene, ITP_FORMAT_JSONL, 80, false);
	g_auto(GStrv) lines = g_strsplit(output, "\n", -1);
	guint count = g_strv_length(lines);

	g_assert_cmpuint(count, ==, 1 + 8 + 1 + 1);
	for (guint i = 0; i + 1 < count; i++) {
		json_t *object = json_loads(lines[i], JSON_REJECT_DUPLICATES, NULL);

		g_assert_true(json_is_object(object));
		json_decref(object);
	}
	scene_free(scene);
}

static void test_same_bytes(void)
{
	for (int format = ITP_FORMAT_TEXT; format <= ITP_FORMAT_JSONL; format++) {
		struct scene *scene = hostile();
		g_autofree char *first = rendered(scene, (enum itp_format)format, 80, false);
		g_autofree char *second = rendered(scene, (enum itp_format)format, 80, false);

		g_assert_cmpstr(first, ==, second);
		scene_free(scene);
	}
}

int main(int argc, char **argv)
{
	g_test_init(&argc, &argv, NULL);
	g_test_set_nonfatal_assertions();
	g_test_add_func("/render/times are in the unit a person would say", test_times);
	g_test_add_func("/render/changes carry their sign", test_changes);
	g_test_add_func("/render/counts are grouped or abbreviated", test_counts);
	g_test_add_func("/render/ratios and shares stay short", test_ratios_and_shares);
	g_test_add_func("/render/labels cannot harm a terminal", test_clean_labels);
	g_test_add_func("/render/long labels lose their middle", test_shortened_labels);
	g_test_add_func("/render/a comparison in 80 columns", test_comparison);
	g_test_add_func("/render/a wide terminal shows more of each path", test_comparison_wide);
	g_test_add_func("/render/a narrow terminal still shows every path", test_comparison_narrow);
	g_test_add_func("/render/widths below 60 count as 60", test_narrowest);
	g_test_add_func("/render/a recording alone has shares", test_single);
	g_test_add_func("/render/workloads of one name are told apart", test_equal_names);
	g_test_add_func("/render/a ranking without paths says so", test_nothing_to_rank);
	g_test_add_func("/render/incomplete inputs are named in first and last lines",
			test_incomplete_input);
	g_test_add_func("/render/broken stacks and missing names are explained where they matter",
			test_poor_input);
	g_test_add_func("/render/an error that ended the run is said first", test_ended_by_error);
	g_test_add_func("/render/a faster run is not called slower", test_faster_run);
	g_test_add_func("/render/metric and method are stated", test_calls_and_paper);
	g_test_add_func("/render/no line is wider than the terminal", test_never_wider);
	g_test_add_func("/render/a path of 1024 frames takes two lines", test_long_path);
	g_test_add_func("/render/paths to one culprit are told from each other", test_variants);
	g_test_add_func("/render/csv of a comparison", test_csv);
	g_test_add_func("/render/csv of a recording alone leaves base fields empty",
			test_csv_single);
	g_test_add_func("/render/csv lines all have the same fields", test_csv_fields);
	g_test_add_func("/render/csv quotes commas, quotes and line ends", test_csv_quotes);
	g_test_add_func("/render/csv says on each line that input is missing", test_csv_incomplete);
	g_test_add_func("/render/jsonl of a comparison", test_jsonl);
	g_test_add_func("/render/jsonl of a recording alone has no base", test_jsonl_single);
	g_test_add_func("/render/jsonl counts what is missing", test_jsonl_incomplete);
	g_test_add_func("/render/jsonl without paths has header and summary", test_jsonl_nothing);
	g_test_add_func("/render/jsonl of calls has no keys of times for them", test_jsonl_calls);
	g_test_add_func("/render/jsonl is valid whatever names hold", test_jsonl_hostile);
	g_test_add_func("/render/the same ranking gives the same bytes", test_same_bytes);
	return g_test_run();
}
