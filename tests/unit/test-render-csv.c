/* SPDX-License-Identifier: MIT */
/*
 * Comma-separated values: every line has the same fields, whatever names hold, and what each of
 * them is.
 */
#include "tests/unit/render-scene.h"

#include <string.h>

static void test_csv(void)
{
	scene_check(scene_comparison(), ITP_FORMAT_CSV, 80, "comparison.csv");
}

static void test_csv_single(void)
{
	scene_check(scene_single(), ITP_FORMAT_CSV, 80, "single.csv");
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
	g_autofree char *output = scene_rendered(scene, ITP_FORMAT_CSV, 80, false);
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
	check_fields(scene_hostile(), 7 * HOSTILE_FRAMES);
	check_fields(scene_single(), GZIP_FRAMES + READ_FRAMES + 1);
	check_fields(scene_new("good.data", "slow.data"), 1);
}

static void test_csv_poor(void)
{
	scene_check(scene_poor(), ITP_FORMAT_CSV, 80, "poor.csv");
}

static void test_csv_changes(void)
{
	scene_check(scene_changes(), ITP_FORMAT_CSV, 80, "changes.csv");
}

static void test_csv_doubts(void)
{
	struct scene *scene = scene_comparison();
	g_autofree char *output = NULL;

	scene->ranking.doubts = ITP_DOUBT_OTHER_PROGRAMS | ITP_DOUBT_LENGTH;
	output = scene_rendered(scene, ITP_FORMAT_CSV, 80, false);
	g_assert_nonnull(strstr(output, ",other-programs length,"));
	scene_free(scene);
}

static void test_csv_waits(void)
{
	scene_check(scene_waits(), ITP_FORMAT_CSV, 80, "waits.csv");
}

static void test_csv_functions(void)
{
	scene_check(scene_functions(ITP_RANK_BY_FUNCTION), ITP_FORMAT_CSV, 80, "functions.csv");
	scene_check(scene_functions(ITP_RANK_BY_MODULE), ITP_FORMAT_CSV, 80, "modules.csv");
	scene_check(scene_processes(false), ITP_FORMAT_CSV, 80, "processes.csv");
}

static void test_csv_quotes(void)
{
	struct scene *scene = scene_hostile();
	g_autofree char *output = scene_rendered(scene, ITP_FORMAT_CSV, 80, false);

	g_assert_nonnull(strstr(output, ",\"say \"\"hi\"\", twice\",\"a,\"\"b\"\".so\","));
	g_assert_nonnull(strstr(output, ",line\ufffd\ufffdbreak\ufffd[2J,new\ufffdline.so,"));
	scene_free(scene);
}

/* What a spreadsheet would take for a formula, and what it would not. Numbers are the program's. */
static void test_csv_formulas(void)
{
	const struct spec specs[] = {
		{ "=1+1", "=cmd|' /C calc'!A0", 1, S, 0, 1, S, -2 * S },
		{ "@sum", "-[Text length]", 1, S, 0, 1, S, 0 },
		{ "a=b", "\t+1", 1, S, 0, 1, S, 0 },
		{ "\xc2\x9b"
		  "31m",
		  "a\u202eb,c", 1, S, 0, 1, S, 0 },
	};
	struct scene *scene = scene_new("+good.data", "-slow.data");
	g_autofree char *output = NULL;

	scene_path(scene, "=process", specs, G_N_ELEMENTS(specs), 1);
	output = scene_rendered(scene, ITP_FORMAT_CSV, 80, false);
	g_assert_nonnull(strstr(output, ",'=cmd|' /C calc'!A0,'=1+1,"));
	g_assert_nonnull(strstr(output, ",'-[Text length],'@sum,"));
	g_assert_nonnull(strstr(output, ",' +1,a=b,"));
	g_assert_nonnull(strstr(output, ",\"a\ufffdb,c\",\ufffd31m,"));
	g_assert_nonnull(strstr(output, ",'+good.data,'-slow.data,"));
	g_assert_nonnull(strstr(output, ",'=process,"));
	g_assert_nonnull(strstr(output, ",-2000000000,"));
	scene_free(scene);
}

static void test_csv_incomplete(void)
{
	scene_check(scene_incomplete(), ITP_FORMAT_CSV, 80, "incomplete.csv");
}

int main(int argc, char **argv)
{
	g_test_init(&argc, &argv, NULL);
	g_test_set_nonfatal_assertions();
	g_test_add_func("/render/csv of a comparison", test_csv);
	g_test_add_func("/render/csv of a recording alone leaves base fields empty",
			test_csv_single);
	g_test_add_func("/render/csv lines all have the same fields", test_csv_fields);
	g_test_add_func("/render/csv quotes commas and quotes", test_csv_quotes);
	g_test_add_func("/render/csv leaves a spreadsheet nothing to run, nor a terminal",
			test_csv_formulas);
	g_test_add_func("/render/csv says on each line that input is missing", test_csv_incomplete);
	g_test_add_func("/render/csv tells how sure a difference is, and what has moved",
			test_csv_changes);
	g_test_add_func("/render/csv has the doubts", test_csv_doubts);
	g_test_add_func("/render/csv of functions, of modules and of processes",
			test_csv_functions);
	g_test_add_func("/render/csv of what holds up others", test_csv_waits);
	g_test_add_func("/render/csv says how bad the input is", test_csv_poor);
	return g_test_run();
}
