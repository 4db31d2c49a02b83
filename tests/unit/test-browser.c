/* SPDX-License-Identifier: MIT */
/*
 * A ranking to walk through, without a terminal: what keys lead to which lines.
 */
#include "common/base/labels.h"
#include "common/rank/apart.h"
#include "common/render/browser/browser.h"
#include "common/render/table.h"
#include "tests/unit/render-scene.h"

#include <string.h>

#define WIDTH 80
#define HEIGHT 24
#define STEPS 150

/* What is seen of a scene. */
struct view {
	struct scene *scene;
	struct itp_browser *browser;
	struct itp_browser_series *series;
	unsigned int width;
	unsigned int height;
	/* Of the last time. */
	GPtrArray *lines;
	int selected;
	GString *plain;
};

static void look(struct view *view)
{
	g_clear_pointer(&view->lines, g_ptr_array_unref);
	view->lines = itp_browser_lines(view->browser, view->width, view->height, &view->selected);
}

static struct view view_with(struct scene *scene, const struct itp_render_options *looks)
{
	struct view view = { .scene = scene, .width = WIDTH, .height = HEIGHT };

	view.series = g_new0(struct itp_browser_series, 1);
	*view.series = (struct itp_browser_series){ .number = 1, .count = 1 };
	view.browser = itp_browser_new(&scene->ranking, looks, view.series);
	view.plain = g_string_new(NULL);
	look(&view);
	return view;
}

static struct view view_of(struct scene *scene)
{
	const struct itp_render_options looks = { .width = WIDTH };
	return view_with(scene, &looks);
}

static void view_free(struct view *view)
{
	g_free(view->series);
	g_ptr_array_unref(view->lines);
	g_string_free(view->plain, TRUE);
	itp_browser_free(view->browser);
	scene_free(view->scene);
}

static void press(struct view *view, gunichar key)
{
	g_assert_true(itp_browser_press(view->browser, key));
	look(view);
}

static void type(struct view *view, const char *text)
{
	for (; *text != '\0'; text = g_utf8_next_char(text)) {
		press(view, g_utf8_get_char(text));
	}
}

static const char *line_at(const struct view *view, int line)
{
	return g_ptr_array_index(view->lines, (guint)line);
}

static const char *title_of(const struct view *view)
{
	return line_at(view, 0);
}

static const char *last_of(const struct view *view)
{
	return line_at(view, (int)view->lines->len - 1);
}

static const char *selected_of(const struct view *view)
{
	return line_at(view, view->selected);
}

/* The names of the contexts that are seen, by their indentation: "server(main(handle+ log+))". */
static char *contexts_of(const struct view *view)
{
	GString *text = g_string_new(NULL);

	for (int i = 2; line_at(view, i)[0] != '\0'; i++) {
		const char *name = g_utf8_strrchr(line_at(view, i), -1, ' ') + 1;
		bool is_closed = name[-2] == '+';

		g_string_append_printf(text, "%s%s%s", i == 2 ? "" : " ", name,
				       is_closed ? "+" : "");
	}
	return g_string_free(text, FALSE);
}

static void assert_contexts(const struct view *view, const char *expected)
{
	g_autofree char *contexts = contexts_of(view);

	g_assert_cmpstr(contexts, ==, expected);
}

static void assert_has(const char *line, const char *part)
{
	if (!strstr(line, part)) {
		g_test_message("\"%s\" is not in: %s", part, line);
		g_test_fail();
	}
}

/* A line without marks of styles. */
static const char *plain(struct view *view, int line)
{
	g_string_truncate(view->plain, 0);
	itp_style_append(view->plain, line_at(view, line), false, false);
	return view->plain->str;
}

/* ---- Lists and paths ---- */

static void test_series(void)
{
	struct view view = view_of(scene_comparison());

	g_assert_null(strstr(title_of(&view), " (1 of 1)"));
	*view.series = (struct itp_browser_series){ .number = 2, .count = 3 };
	look(&view);
	assert_has(title_of(&view), " (2 of 3)");
	g_assert_false(itp_browser_press(view.browser, '>'));
	g_assert_cmpint(view.series->step, ==, 1);
	view.series->step = 0;
	view.series->number = 3;
	g_assert_true(itp_browser_press(view.browser, '>'));
	look(&view);
	assert_has(g_ptr_array_index(view.lines, view.lines->len - 1),
		   "There is no recording behind this one.");
	g_assert_cmpint(view.series->step, ==, 0);
	g_assert_false(itp_browser_press(view.browser, '<'));
	g_assert_cmpint(view.series->step, ==, -1);
	view.series->step = 0;
	/* What is looked for may have such characters. */
	g_assert_true(itp_browser_press(view.browser, '/'));
	g_assert_true(itp_browser_press(view.browser, '<'));
	g_assert_cmpint(view.series->step, ==, 0);
	view_free(&view);
}

static void test_list(void)
{
	struct view view = view_of(scene_comparison());

	g_assert_true(g_str_has_prefix(title_of(&view), "good.data \u2192 slow.data: +"));
	assert_has(line_at(&view, 1), "\u0394 cost");
	g_assert_cmpint(view.selected, ==, 2);
	assert_has(selected_of(&view), "y_filter in nginx");
	g_assert_cmpuint(view.lines->len, ==, HEIGHT);
	view_free(&view);
}

static void test_verdict(void)
{
	struct view view = view_of(scene_changes());
	guint chances = 0;

	for (guint i = 0; i < view.scene->ranking.paths->len; i++) {
		bool is_chance = strchr(selected_of(&view), '~') != NULL;

		g_assert_cmpint(strstr(line_at(&view, HEIGHT - 4), "Verdict: chance") != NULL, ==,
				is_chance);
		chances += is_chance;
		press(&view, ITP_BROWSER_DOWN);
	}
	g_assert_cmpuint(chances, >, 0);
	view_free(&view);
}

static void test_moving(void)
{
	struct view view = view_of(scene_comparison());
	int count = (int)view.scene->ranking.paths->len;

	press(&view, ITP_BROWSER_UP);
	g_assert_cmpint(view.selected, ==, 2);
	press(&view, ITP_BROWSER_DOWN);
	g_assert_cmpint(view.selected, ==, 3);
	press(&view, ITP_BROWSER_END);
	g_assert_cmpint(view.selected, ==, 2 + count - 1);
	press(&view, ITP_BROWSER_PAGE_DOWN);
	g_assert_cmpint(view.selected, ==, 2 + count - 1);
	press(&view, ITP_BROWSER_PAGE_UP);
	g_assert_cmpint(view.selected, ==, 2);
	view_free(&view);
}

static void test_low(void)
{
	struct view view = view_of(scene_comparison());
	g_autofree char *second = NULL;

	press(&view, ITP_BROWSER_DOWN);
	second = g_strdup(selected_of(&view));
	/* Title, heads, one row, one note, keys. */
	view.height = 5;
	look(&view);
	g_assert_cmpuint(view.lines->len, ==, 5);
	g_assert_cmpint(view.selected, ==, 2);
	g_assert_cmpstr(selected_of(&view), ==, second);
	view_free(&view);
}

static void test_path(void)
{
	struct view view = view_of(scene_comparison());

	press(&view, ITP_BROWSER_ENTER);
	g_assert_cmpstr(title_of(&view), ==, "Path 1: ngx_http_gzip_body_filter in nginx");
	assert_has(line_at(&view, 2), scene_gzip[0].name);
	g_assert_cmpint(view.selected, ==, 2 + GZIP_CULPRIT);
	assert_has(selected_of(&view), "\u25b6 ngx_http_g");
	assert_has(line_at(&view, 2 + GZIP_FRAMES - 1), scene_gzip[GZIP_FRAMES - 1].name);
	press(&view, ITP_BROWSER_ESCAPE);
	g_assert_true(g_str_has_prefix(title_of(&view), "good.data"));
	press(&view, ITP_BROWSER_ESCAPE);
	g_assert_cmpstr(last_of(&view), ==, "This is the first page; q leaves.");
	view_free(&view);
}

static void test_path_at_once(void)
{
	const struct itp_render_options looks = { .width = WIDTH, .path = 2 };
	struct view view = view_with(scene_comparison(), &looks);

	g_assert_true(g_str_has_prefix(title_of(&view), "Path 2: "));
	press(&view, ITP_BROWSER_LEFT);
	g_assert_cmpint(view.selected, ==, 3);
	view_free(&view);
}

static void test_functions(void)
{
	struct view view = view_of(scene_functions(ITP_RANK_BY_FUNCTION));

	assert_has(title_of(&view), "functions");
	assert_has(line_at(&view, 1), "\u0394 own");
	press(&view, ITP_BROWSER_ENTER);
	g_assert_true(g_str_has_prefix(title_of(&view), "Contexts: "));
	view_free(&view);
}

static void test_waits(void)
{
	struct view view = view_of(scene_waits());

	g_assert_cmpint(view.selected, ==, -1);
	g_assert_cmpstr(title_of(&view), ==, "The result as it is printed");
	view_free(&view);
}

static void test_leaving(void)
{
	struct view view = view_of(scene_comparison());

	g_assert_false(itp_browser_press(view.browser, 'q'));
	g_assert_false(itp_browser_press(view.browser, ITP_BROWSER_INTERRUPT));
	press(&view, '/');
	press(&view, 'q');
	g_assert_cmpstr(last_of(&view), ==, "/q_");
	g_assert_false(itp_browser_press(view.browser, ITP_BROWSER_INTERRUPT));
	view_free(&view);
}

/* ---- The tree ---- */

/* main has 1 + 100 + 200 + 700 + 9 + 40 ms in and below it, and 1 + 90 + 200 + 9 + 60 before;
 * handle 1000 and 290; what writes lines 49 and 69. */
static struct view tree_of(const char *base)
{
	uint32_t ids[SERVER_NODES];
	struct view view = view_of(scene_server(base, ids));

	press(&view, 't');
	return view;
}

static void test_sums(void)
{
	struct view view = tree_of("good.data");

	press(&view, 'E');
	g_assert_cmpstr(line_at(&view, 1), ==,
			"  \u0394 total    \u0394 own   before    after    context");
	g_assert_cmpstr(plain(&view, 3), ==, "  +690 ms      0 s   360 ms   1.05 s    - main");
	g_assert_cmpstr(plain(&view, 4), ==, "  +710 ms   +10 ms   290 ms   1.00 s      - handle");
	g_assert_cmpstr(plain(&view, 9), ==,
			"   \u221220 ms      0 s    69 ms    49 ms      - log_line");
	view_free(&view);
}

static void test_order(void)
{
	struct view view = tree_of("good.data");

	assert_contexts(&view, "server+");
	press(&view, ITP_BROWSER_ENTER);
	assert_contexts(&view, "server main+");
	press(&view, 'e');
	/* What makes the largest difference comes first, whatever its sign. */
	assert_contexts(&view,
			"server main handle sleepy do_sleep schedule read_all log_line write_line");
	press(&view, 'c');
	assert_contexts(&view, "server+");
	view_free(&view);
}

static void test_arrows(void)
{
	struct view view = tree_of(NULL);

	press(&view, ITP_BROWSER_RIGHT);
	assert_contexts(&view, "server main+");
	g_assert_cmpint(view.selected, ==, 2);
	press(&view, ITP_BROWSER_RIGHT);
	g_assert_cmpint(view.selected, ==, 3);
	press(&view, ITP_BROWSER_RIGHT);
	assert_contexts(&view, "server main handle+ log_line+");
	press(&view, ITP_BROWSER_LEFT);
	assert_contexts(&view, "server main+");
	press(&view, ITP_BROWSER_LEFT);
	g_assert_cmpint(view.selected, ==, 2);
	press(&view, ITP_BROWSER_LEFT);
	assert_contexts(&view, "server+");
	press(&view, ITP_BROWSER_LEFT);
	g_assert_cmpstr(title_of(&view), ==, "The result as it is printed");
	view_free(&view);
}

static void test_hottest(void)
{
	struct view view = tree_of(NULL);

	press(&view, 'H');
	assert_contexts(&view, "server main handle sleepy do_sleep schedule read_all log_line+");
	assert_has(selected_of(&view), "schedule");
	press(&view, 'C');
	assert_contexts(&view, "server+");
	view_free(&view);
}

static void test_idle(void)
{
	uint32_t ids[SERVER_NODES];
	struct scene *scene = scene_server(NULL, ids);
	g_autofree uint8_t *apart = g_new0(uint8_t, itp_context_tree_size(scene->tree));
	struct view view;

	apart[ids[SERVER_SCHEDULE]] = ITP_APART_LOST;
	scene->ranking.apart = apart;
	view = view_of(scene);
	press(&view, 't');
	press(&view, 'E');
	assert_contexts(&view, "server main handle read_all log_line write_line");
	view_free(&view);
}

static void test_culprit(void)
{
	struct view view = view_of(scene_comparison());

	press(&view, ITP_BROWSER_ENTER);
	press(&view, ITP_BROWSER_ENTER);
	g_assert_true(g_str_has_prefix(title_of(&view), "Contexts: "));
	view_free(&view);
}

/* ---- Searching ---- */

static void test_search(void)
{
	struct view view = view_of(scene_comparison());
	int third;

	press(&view, ITP_BROWSER_ENTER);
	type(&view, "/MAIN\r");
	assert_has(selected_of(&view), "main");
	third = view.selected;
	press(&view, 'n');
	press(&view, 'N');
	g_assert_cmpint(view.selected, ==, third);
	type(&view, "/nothing of the kind\r");
	g_assert_cmpstr(last_of(&view), ==, "\"nothing of the kind\" is nowhere here.");
	g_assert_cmpint(view.selected, ==, third);
	view_free(&view);
}

/* Each row that is looked at is a name of its own; what is left of it shows with sanitizers. */
static void test_search_list(void)
{
	struct view view = view_of(scene_comparison());
	const int first = view.selected;

	type(&view, "/nothing of the kind\r");
	g_assert_cmpint(view.selected, ==, first);
	type(&view, "/MAIN\r");
	assert_has(selected_of(&view), "read in nginx");
	view_free(&view);
}

static void test_search_closed(void)
{
	struct view view = tree_of(NULL);

	type(&view, "/write");
	press(&view, ITP_BROWSER_ERASE);
	g_assert_cmpstr(last_of(&view), ==, "/writ_");
	press(&view, '\r');
	assert_has(selected_of(&view), "write_line");
	assert_contexts(&view, "server main handle+ log_line write_line");
	view_free(&view);
}

static void test_search_given_up(void)
{
	struct view view = tree_of(NULL);

	type(&view, "/write\033");
	press(&view, 'n');
	assert_contexts(&view, "server+");
	view_free(&view);
}

/* ---- Whatever the size, the names and the keys ---- */

static const gunichar all_keys[] = {
	ITP_BROWSER_UP,
	ITP_BROWSER_DOWN,
	ITP_BROWSER_LEFT,
	ITP_BROWSER_RIGHT,
	ITP_BROWSER_ENTER,
	ITP_BROWSER_PAGE_UP,
	ITP_BROWSER_PAGE_DOWN,
	ITP_BROWSER_HOME,
	ITP_BROWSER_END,
	ITP_BROWSER_ESCAPE,
	ITP_BROWSER_ERASE,
	ITP_BROWSER_HELP,
	'e',
	'c',
	'E',
	'C',
	'H',
	'+',
	't',
	's',
	'/',
	'n',
	'N',
	0,
};

static void assert_clean(const struct view *view)
{
	g_assert_cmpuint(view->lines->len, ==, view->height);
	g_assert_cmpint(view->selected, <, (int)MAX(view->height, 3));
	for (guint i = 0; i < view->lines->len; i++) {
		const char *line = line_at(view, (int)i);

		g_assert_true(g_utf8_validate(line, -1, NULL));
		g_assert_null(strpbrk(line, "\n\r\t\033\a"));
	}
}

static void walk_at_random(struct scene *scene)
{
	struct view view = view_of(scene);

	for (int step = 0; step < STEPS; step++) {
		if (g_test_rand_int_range(0, 10) == 0) {
			view.width = (unsigned int)g_test_rand_int_range(1, 140);
			view.height = (unsigned int)g_test_rand_int_range(1, 50);
		}
		press(&view, all_keys[g_test_rand_int_range(0, G_N_ELEMENTS(all_keys))]);
		assert_clean(&view);
	}
	view_free(&view);
}

static void test_walks(void)
{
	uint32_t ids[SERVER_NODES];

	walk_at_random(scene_hostile());
	walk_at_random(scene_changes());
	walk_at_random(scene_single());
	walk_at_random(scene_functions(ITP_RANK_BY_MODULE));
	walk_at_random(scene_waits());
	walk_at_random(scene_server("good.data", ids));
}

static void assert_narrow(struct view *view, const char *selected)
{
	view->width = 40;
	look(view);
	for (int i = 0; i <= view->selected; i++) {
		g_assert_cmpuint(itp_label_columns(line_at(view, i)), <=, 40);
	}
	assert_has(selected_of(view), selected);
}

static void test_narrow(void)
{
	struct view view = view_of(scene_comparison());
	struct view tree = tree_of("good.data");

	assert_narrow(&view, "ngx_http_gzip_body_filter");
	press(&view, ITP_BROWSER_ENTER);
	assert_narrow(&view, "ngx_http");
	press(&tree, 'H');
	assert_narrow(&tree, "schedule");
	view_free(&view);
	view_free(&tree);
}

int main(int argc, char **argv)
{
	g_test_init(&argc, &argv, NULL);
	g_test_set_nonfatal_assertions();
	g_test_add_func("/browser/several recordings are walked through", test_series);
	g_test_add_func("/browser/the first page has the ranked paths", test_list);
	g_test_add_func("/browser/each difference has its verdict", test_verdict);
	g_test_add_func("/browser/keys select another row", test_moving);
	g_test_add_func("/browser/what is selected is seen on a low screen", test_low);
	g_test_add_func("/browser/a path opens at its culprit", test_path);
	g_test_add_func("/browser/it may be opened from the beginning", test_path_at_once);
	g_test_add_func("/browser/a function opens where it costs most", test_functions);
	g_test_add_func("/browser/what waits hold up is text", test_waits);
	g_test_add_func("/browser/q leaves, unless it is typed", test_leaving);
	g_test_add_func("/browser/contexts have what lies in and below them", test_sums);
	g_test_add_func("/browser/the largest difference comes first", test_order);
	g_test_add_func("/browser/arrows open, close and lead to callers", test_arrows);
	g_test_add_func("/browser/the hottest path opens at once", test_hottest);
	g_test_add_func("/browser/waits for work are no time", test_idle);
	g_test_add_func("/browser/a function of a path leads to its context", test_culprit);
	g_test_add_func("/browser/a search goes on and comes back", test_search);
	g_test_add_func("/browser/it looks at all rows of a list", test_search_list);
	g_test_add_func("/browser/it opens what is closed", test_search_closed);
	g_test_add_func("/browser/it may be given up", test_search_given_up);
	g_test_add_func("/browser/a narrow page keeps the names", test_narrow);
	g_test_add_func("/browser/any keys lead to clean lines", test_walks);
	return g_test_run();
}
