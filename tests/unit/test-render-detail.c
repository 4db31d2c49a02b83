/* SPDX-License-Identifier: MIT */
/*
 * One path from nearby, in all formats, and times as one looks them up.
 */
#include <jansson.h>
#include <string.h>

#include "common/base/labels.h"
#include "common/render/units.h"
#include "tests/unit/latencies.h"
#include "tests/unit/render-scene.h"

/* Of scene_gzip. */
#define RANK 1

/* `count` calls of `latency_ns` in the frame `frame` of path RANK, the last of them kept. */
static void add_calls(struct scene *scene, struct itp_profile *profile, uint32_t frame, int count,
		      int64_t latency_ns, int64_t begin_ns)
{
	const struct itp_ranked_path *path =
		&g_array_index(scene->ranking.paths, struct itp_ranked_path, RANK - 1);
	const struct itp_slow_call call = {
		.node = path->frames[frame].node,
		.pid = 812,
		.tid = 813,
		.begin_ns = begin_ns,
		.latency_ns = latency_ns,
		.lower_ns = latency_ns - 100 * (MS / 1000),
		.upper_ns = latency_ns + 50 * (MS / 1000),
		.flags = begin_ns % 2 ? ITP_INSTANCE_END_UNKNOWN : 0,
	};
	struct itp_node_stats *stats = itp_profile_node(profile, call.node);

	for (int i = 0; i < count; i++) {
		test_add_latency(stats, latency_ns, call.lower_ns, call.upper_ns);
		stats->max_count++;
	}
	stats->use.cpu_ns += count * latency_ns / 50;
	stats->use.blocked_ns += count * latency_ns / 50 * 48;
	stats->use.runnable_ns += count * latency_ns / 100;
	itp_slowest_add(profile->slowest, &call);
}

/* A recording that begins 22 960 s after the machine, at 2026-11-21 14:44:54. */
static void set_clock(struct itp_profile *profile)
{
	profile->workload.clock = (struct itp_clock){
		.has_epoch = true,
		.offset_ns = INT64_C(1795272294) * S - 22960 * S,
	};
}

static void add_suspect_calls(struct scene *scene)
{
	static const int64_t first_ns = INT64_C(1795272294807841754);

	set_clock(scene->suspect);
	add_calls(scene, scene->suspect, GZIP_CULPRIT, 100, 3100 * (MS / 1000), first_ns);
	add_calls(scene, scene->suspect, GZIP_CULPRIT, 1250, 6900 * (MS / 1000), first_ns + S);
	add_calls(scene, scene->suspect, GZIP_CULPRIT, 26, 9800 * (MS / 1000), first_ns + 2 * S);
	add_calls(scene, scene->suspect, GZIP_CULPRIT, 1, 31 * MS, first_ns + 3 * S + 1);
}

static struct scene *detail_scene(void)
{
	struct scene *scene = scene_comparison();

	add_suspect_calls(scene);
	set_clock(scene->base);
	add_calls(scene, scene->base, GZIP_CULPRIT, 4000, 74 * (MS / 1000), 5 * S);
	add_calls(scene, scene->base, GZIP_CULPRIT, 12, 3 * MS, 6 * S);
	return scene;
}

static char *rendered(const struct scene *scene, enum itp_format format, unsigned int width,
		      uint64_t path)
{
	const struct itp_render_options options = { .format = format,
						    .width = width,
						    .path = path };
	GString *output = g_string_new(NULL);

	itp_render_ranking(&scene->ranking, &options, output);
	return g_string_free(output, FALSE);
}

static void check(struct scene *scene, enum itp_format format, unsigned int width, const char *name)
{
	g_autofree char *output = rendered(scene, format, width, RANK);

	scene_check_output(output, name);
	scene_free(scene);
}

static void test_comparison(void)
{
	check(detail_scene(), ITP_FORMAT_TEXT, 80, "detail-80.txt");
	check(detail_scene(), ITP_FORMAT_TEXT, 140, "detail-140.txt");
	check(detail_scene(), ITP_FORMAT_TEXT, 60, "detail-60.txt");
}

static void test_without_unicode(void)
{
	const struct itp_render_options options = { .width = 80, .path = RANK, .ascii = true };
	struct scene *scene = detail_scene();
	g_autoptr(GString) output = g_string_new(NULL);

	itp_render_ranking(&scene->ranking, &options, output);
	g_assert_true(g_str_is_ascii(output->str));
	g_assert_nonnull(strstr(output->str, "from 66 us, x2 a bar\n"));
	g_assert_nonnull(strstr(output->str, " 3.0 ms  #    _\n"));
	g_assert_nonnull(strstr(output->str, "  > ngx_http_g*p_body_filter\n"));
	scene_free(scene);
}

/* What it waits for is no row of this page. */
static void test_effect(void)
{
	struct scene *scene = detail_scene();
	struct itp_ranked_path *paths = (void *)scene->ranking.paths->data;
	g_autofree char *output = NULL;

	paths[RANK - 1].waits_for = 2;
	output = rendered(scene, ITP_FORMAT_TEXT, 60, RANK);
	g_assert_nonnull(strstr(output, "; waits for path 2,\n        engine::Functi"));
	scene_free(scene);
}

static void test_single(void)
{
	struct scene *scene = scene_single();

	add_suspect_calls(scene);
	scene->suspect->workload.clock.has_epoch = false;
	check(scene, ITP_FORMAT_TEXT, 80, "detail-single-80.txt");
}

static void test_for_programs(void)
{
	check(detail_scene(), ITP_FORMAT_CSV, 80, "detail.csv");
	check(detail_scene(), ITP_FORMAT_JSONL, 80, "detail.jsonl");
}

/* A profile from before there were any, of a path that only the base took. */
static void test_nothing_kept(void)
{
	struct scene *scene = scene_comparison();
	g_autofree char *output = rendered(scene, ITP_FORMAT_TEXT, 80, RANK);

	g_assert_nonnull(strstr(output, "Slowest calls of ngx_http_gzip_body_filter: none kept."));
	g_free(output);
	set_clock(scene->base);
	add_calls(scene, scene->base, GZIP_CULPRIT, 1, 74, 5 * S);
	output = rendered(scene, ITP_FORMAT_TEXT, 80, RANK);
	g_assert_nonnull(strstr(
		output, "Slowest calls of ngx_http_gzip_body_filter in good.data, 1970-01-01:"));
	scene_free(scene);
}

static void test_days_are_told_where_there_are_several(void)
{
	struct scene *scene = detail_scene();
	g_autofree char *output = NULL;

	add_calls(scene, scene->suspect, GZIP_CULPRIT, 1, 32 * MS,
		  INT64_C(1795272294000000000) + 86400 * S);
	output = rendered(scene, ITP_FORMAT_TEXT, 80, RANK);
	g_assert_nonnull(strstr(output, " in slow.data:\n"));
	g_assert_nonnull(strstr(output, "2026-11-22 14:44:54.000000  109360.000000 "));
	scene_free(scene);
}

/* Each by the clock of its own recording. */
static void test_several_recordings_are_told_apart(void)
{
	struct scene *scene = detail_scene();
	const struct itp_clock clock = scene->suspect->workload.clock;
	char first[] = "first.data";
	char second[] = "second\n.data";
	struct itp_recording recordings[] = {
		{ .name = first, .clock = clock },
		{ .name = second,
		  .clock = { .has_epoch = true, .offset_ns = clock.offset_ns - S } },
	};
	struct itp_slow_call call;
	g_autofree char *text = NULL;
	g_autofree char *lines = NULL;
	size_t count;

	scene->ranking.suspect_runs = G_N_ELEMENTS(recordings);
	scene->ranking.suspect_recordings = recordings;
	scene->suspect->workload.clock.offset_ns = 0;
	add_calls(scene, scene->suspect, GZIP_CULPRIT, 1, 40 * MS, clock.offset_ns);
	call = itp_slowest_of_node(
		scene->suspect->slowest,
		g_array_index(scene->ranking.paths, struct itp_ranked_path, RANK - 1)
			.frames[GZIP_CULPRIT]
			.node,
		&count)[0];
	call.run = 1;
	call.latency_ns += MS;
	itp_slowest_add(scene->suspect->slowest, &call);
	text = rendered(scene, ITP_FORMAT_TEXT, 100, RANK);
	g_assert_nonnull(strstr(text,
				" 08:22:14.000000      1.000000    41 ms     813  40 ms \u2026 40 "
				"ms, second\uFFFD.data\n"));
	g_assert_nonnull(strstr(text,
				" 08:22:14.000000      0.000000    40 ms     813  40 ms \u2026 40 "
				"ms, first.data\n"));
	lines = rendered(scene, ITP_FORMAT_JSONL, 100, RANK);
	g_assert_nonnull(strstr(lines, "\"clock_ns\":1000000000,"));
	g_assert_nonnull(strstr(lines, "\"variant\":0,\"recording\":\"second\\n.data\"}"));
	g_assert_nonnull(strstr(lines, "\"clock_ns\":0,"));
	g_assert_nonnull(strstr(lines, "\"variant\":0,\"recording\":\"first.data\"}"));
	scene_free(scene);
}

static void test_several_wakers_are_named(void)
{
	struct scene *scene = detail_scene();
	g_autofree char *output = rendered(scene, ITP_FORMAT_TEXT, 80, RANK);

	g_assert_nonnull(
		strstr(output, "its waits were ended by reply in redis-server (90 %), reply in\n"));
	g_assert_nonnull(strstr(
		output,
		"until then ran scan in redis-server (80 %), reply in redis-server (20 %)\n"));
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

/* Everything that a profile may claim. */
static void add_hostile_calls(struct scene *scene, struct itp_profile *profile, uint32_t node)
{
	static const int64_t extremes_ns[] = { INT64_MIN, -1, 0, 1, INT64_MAX };
	struct itp_node_stats *stats = itp_profile_node(profile, node);

	for (size_t i = 0; i < ITP_HISTOGRAM_BUCKETS; i++) {
		stats->histogram[i] = i % 3 ? UINT32_MAX : 1;
	}
	for (size_t i = 0; i < G_N_ELEMENTS(extremes_ns); i++) {
		const struct itp_slow_call call = { .node = node,
						    .pid = INT32_MIN,
						    .tid = INT32_MAX,
						    .flags = UINT32_MAX,
						    .begin_ns = extremes_ns[i],
						    .latency_ns = extremes_ns[i],
						    .lower_ns = extremes_ns[i],
						    .upper_ns = extremes_ns[i] };

		itp_slowest_add(profile->slowest, &call);
	}
	stats->min_ns = INT64_MIN;
	stats->max_ns = INT64_MAX;
	(void)scene;
}

static struct scene *hostile_detail_scene(void)
{
	struct scene *scene = scene_hostile();

	for (guint i = 0; i < scene->ranking.paths->len; i++) {
		const struct itp_ranked_path *path =
			&g_array_index(scene->ranking.paths, struct itp_ranked_path, i);

		for (uint32_t j = 0; j < path->frame_count; j++) {
			add_hostile_calls(scene, scene->suspect, path->frames[j].node);
			add_hostile_calls(scene, scene->base, path->frames[j].node);
		}
	}
	scene->suspect->workload.clock =
		(struct itp_clock){ .has_epoch = true, .offset_ns = INT64_MIN };
	return scene;
}

static void test_hostile_text(void)
{
	static const unsigned int widths[] = { 80, 100, 200 };
	struct scene *scene = hostile_detail_scene();

	for (uint64_t path = 1; path <= scene->ranking.paths->len; path++) {
		for (size_t i = 0; i < G_N_ELEMENTS(widths); i++) {
			g_autofree char *output = rendered(scene, ITP_FORMAT_TEXT, widths[i], path);

			check_widths(output, widths[i]);
		}
	}
	scene_free(scene);
}

static void test_hostile_json(void)
{
	struct scene *scene = hostile_detail_scene();

	for (uint64_t path = 1; path <= scene->ranking.paths->len; path++) {
		g_autofree char *output = rendered(scene, ITP_FORMAT_JSONL, 80, path);
		g_auto(GStrv) lines = g_strsplit(output, "\n", -1);

		g_assert_cmpuint(g_strv_length(lines), ==, 5);
		for (size_t i = 0; i < 4; i++) {
			json_t *object = json_loads(lines[i], JSON_REJECT_DUPLICATES, NULL);

			g_assert_true(json_is_object(object));
			json_decref(object);
		}
	}
	scene_free(scene);
}

static void check_time(const struct itp_clock *clock, int64_t time_ns, const char *day,
		       const char *seconds)
{
	g_autofree char *told_day = itp_time_of_day(clock, time_ns, 9);
	g_autofree char *told_seconds = itp_time_seconds(clock, time_ns, 9);

	g_assert_cmpstr(told_day, ==, day);
	g_assert_cmpstr(told_seconds, ==, seconds);
}

static void test_times(void)
{
	const struct itp_clock unknown = { .offset_ns = 0 };
	const struct itp_clock wall = { .has_epoch = true, .offset_ns = 2 * S };
	g_autofree char *short_day = itp_time_of_day(&wall, 1999999999, 6);
	g_autofree char *short_seconds = itp_time_seconds(&wall, 3999999999, 6);

	check_time(&unknown, 5123118934567, NULL, "5123.118934567");
	check_time(&wall, 0, "1970-01-01 00:00:00.000000000", "-2.000000000");
	check_time(&wall, -1, "1969-12-31 23:59:59.999999999", "-2.000000001");
	check_time(&wall, INT64_MAX, "2262-04-11 23:47:16.854775807", "9223372034.854775807");
	/* What does not fit is told as it is. */
	check_time(&wall, INT64_MIN, "1677-09-21 00:12:43.145224192", "-9223372036.854775808");
	g_assert_cmpstr(short_day, ==, "1970-01-01 00:00:01.999999");
	g_assert_cmpstr(short_seconds, ==, "1.999999");
}

int main(int argc, char **argv)
{
	g_test_init(&argc, &argv, NULL);
	g_test_set_nonfatal_assertions();
	g_test_add_func("/render/one path of a comparison", test_comparison);
	g_test_add_func("/render/one path without Unicode", test_without_unicode);
	g_test_add_func("/render/one path of a recording alone", test_single);
	g_test_add_func("/render/one path for programs", test_for_programs);
	g_test_add_func("/render/where no call is kept, that is said", test_nothing_kept);
	g_test_add_func("/render/days are told where there are several",
			test_days_are_told_where_there_are_several);
	g_test_add_func("/render/calls of several recordings are told apart",
			test_several_recordings_are_told_apart);
	g_test_add_func("/render/several wakers are named", test_several_wakers_are_named);
	g_test_add_func("/render/one path whatever names and numbers hold", test_hostile_text);
	g_test_add_func("/render/jsonl of one path whatever names and numbers hold",
			test_hostile_json);
	g_test_add_func("/render/times", test_times);
	g_test_add_func("/render/one path that waits for another", test_effect);
	return g_test_run();
}
