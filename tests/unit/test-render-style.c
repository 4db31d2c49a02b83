/* SPDX-License-Identifier: MIT */
/*
 * What a terminal adds to the text and takes from it: the text itself stays as it is.
 */
#include "common/base/labels.h"
#include "common/render/table.h"
#include "tests/unit/render-scene.h"

#include <string.h>

static char *rendered(const struct scene *scene, bool color, bool ascii)
{
	const struct itp_render_options options = {
		.format = ITP_FORMAT_TEXT,
		.width = 80,
		.color = color,
		.ascii = ascii,
		.verbose = true,
	};
	GString *output = g_string_new(NULL);

	itp_render_ranking(&scene->ranking, &options, output);
	return g_string_free(output, FALSE);
}

static void check_append(const char *text, bool color, bool ascii, const char *expected)
{
	g_autoptr(GString) output = g_string_new("before ");
	g_autofree char *whole = g_strconcat("before ", expected, NULL);

	itp_style_append(output, text, color, ascii);
	g_assert_cmpstr(output->str, ==, whole);
}

static void test_styles(void)
{
	const char *text = "a " ITP_STYLE_LARGE "much" ITP_STYLE_END " › " ITP_STYLE_FACE
			   "b" ITP_STYLE_END;

	check_append(text, false, false, "a much › b");
	check_append(text, true, false, "a \033[1;33mmuch\033[m › \033[1mb\033[m");
	check_append(text, true, true, "a \033[1;33mmuch\033[m > \033[1mb\033[m");
	g_assert_cmpuint(itp_label_columns(text), ==, strlen("a much > b"));
}

static void test_ascii(void)
{
	check_append("Δ cost −3 µs ×1.5 › f ◀ culprit … – ± 1", false, true,
		     "D cost -3 us x1.5 > f < culprit * - ~ 1");
	/* A name from the traced machine: wide characters take two columns, combining ones none. */
	check_append("漢é e\u0301", false, true, "??? e");
}

static void test_shares(void)
{
	g_assert_cmpstr(itp_style_of_share(50, 1000), ==, ITP_STYLE_LARGE);
	g_assert_cmpstr(itp_style_of_share(49, 1000), ==, ITP_STYLE_NOTABLE);
	g_assert_cmpstr(itp_style_of_share(5, 1000), ==, ITP_STYLE_NOTABLE);
	g_assert_cmpstr(itp_style_of_share(4, 1000), ==, "");
	g_assert_cmpstr(itp_style_of_share(-50, 1000), ==, ITP_STYLE_SAVED);
	g_assert_cmpstr(itp_style_of_share(50, -1000), ==, ITP_STYLE_LARGE);
	g_assert_cmpstr(itp_style_of_share(0, 0), ==, "");
}

static void test_color_of_a_comparison(void)
{
	struct scene *scene = scene_changes();
	g_autofree char *colored = rendered(scene, true, false);

	scene_check_output(colored, "changes-color-80.txt");
	scene_free(scene);
}

static void test_ascii_of_a_comparison(void)
{
	struct scene *scene = scene_changes();
	g_autofree char *ascii = rendered(scene, false, true);

	g_assert_true(g_str_is_ascii(ascii));
	scene_check_output(ascii, "changes-ascii-80.txt");
	scene_free(scene);
}

static void test_text_is_the_same_without_color(void)
{
	struct scene *const scenes[] = { scene_comparison(), scene_single(), scene_hostile(),
					 scene_functions(ITP_RANK_BY_MODULE) };
	g_autoptr(GRegex) escapes = g_regex_new("\033\\[[0-9;]*m", 0, 0, NULL);

	for (size_t i = 0; i < G_N_ELEMENTS(scenes); i++) {
		g_autofree char *plain = rendered(scenes[i], false, false);
		g_autofree char *colored = rendered(scenes[i], true, false);
		g_autofree char *stripped =
			g_regex_replace_literal(escapes, colored, -1, 0, "", 0, NULL);

		g_assert_null(strchr(plain, '\033'));
		g_assert_nonnull(strchr(colored, '\033'));
		g_assert_cmpstr(stripped, ==, plain);
		scene_free(scenes[i]);
	}
}

static void test_columns_are_the_same_in_ascii(void)
{
	struct scene *scene = scene_hostile();
	g_autofree char *plain = rendered(scene, false, false);
	g_autofree char *ascii = rendered(scene, false, true);
	g_auto(GStrv) lines = g_strsplit(plain, "\n", -1);
	g_auto(GStrv) ascii_lines = g_strsplit(ascii, "\n", -1);

	g_assert_cmpuint(g_strv_length(lines), ==, g_strv_length(ascii_lines));
	for (size_t i = 0; lines[i]; i++) {
		g_assert_cmpuint(itp_label_columns(lines[i]), ==, strlen(ascii_lines[i]));
	}
	scene_free(scene);
}

int main(int argc, char **argv)
{
	g_test_init(&argc, &argv, NULL);
	g_test_set_nonfatal_assertions();
	g_test_add_func("/render/style/styles become escape sequences or nothing", test_styles);
	g_test_add_func("/render/style/each column has one ascii character", test_ascii);
	g_test_add_func("/render/style/few colours, by share", test_shares);
	g_test_add_func("/render/style/a comparison in colour", test_color_of_a_comparison);
	g_test_add_func("/render/style/a comparison in ascii", test_ascii_of_a_comparison);
	g_test_add_func("/render/style/colour changes no character",
			test_text_is_the_same_without_color);
	g_test_add_func("/render/style/ascii moves no column", test_columns_are_the_same_in_ascii);
	return g_test_run();
}
