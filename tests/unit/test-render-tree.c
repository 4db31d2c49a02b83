/* SPDX-License-Identifier: MIT */
/*
 * The top of the calling context tree: which contexts are shown, what they add up to, and how.
 */
#include "common/base/labels.h"
#include "common/rank/apart.h"
#include "tests/unit/render-scene.h"

#include <string.h>

/* From the table on: the ranking of these scenes has no entries to sum up. */
static void check(struct scene *scene, const char *name)
{
	g_autofree char *output = scene_rendered(scene, ITP_FORMAT_TREE, 80, false);

	scene_check_output(strstr(output, "\n\n"), name);
	scene_free(scene);
}

static void test_alone(void)
{
	uint32_t ids[SERVER_NODES];
	struct scene *scene = scene_server(NULL, ids);

	check(scene, "tree-80.txt");
}

static void test_comparison(void)
{
	uint32_t ids[SERVER_NODES];
	struct scene *scene = scene_server("good.data", ids);

	check(scene, "tree-comparison-80.txt");
}

static void test_top(void)
{
	uint32_t ids[SERVER_NODES];
	struct scene *scene = scene_server(NULL, ids);
	g_autofree char *output = NULL;

	scene->ranking.options.top = 1;
	output = scene_rendered(scene, ITP_FORMAT_TREE, 80, false);
	g_assert_nonnull(strstr(output, "schedule"));
	g_assert_null(strstr(output, "read_all"));
	g_assert_null(strstr(output, "\u251c"));
	g_assert_nonnull(strstr(output, "Shown: the 1 contexts with the most own latency"));
	scene_free(scene);
}

static void test_idle(void)
{
	uint32_t ids[SERVER_NODES];
	struct scene *scene = scene_server(NULL, ids);
	g_autofree char *output = NULL;

	scene->ranking.apart = g_new0(uint8_t, itp_context_tree_size(scene->tree));
	scene->ranking.apart[ids[SERVER_SCHEDULE]] = ITP_APART_LOST;
	scene->ranking.suspect_own_ns -= 700 * MS;
	output = scene_rendered(scene, ITP_FORMAT_TREE, 80, false);
	g_assert_null(strstr(output, "schedule"));
	g_assert_nonnull(strstr(output, " 100 %  350 ms     0 s      2  server\n"));
	g_free(scene->ranking.apart);
	scene_free(scene);
}

static void test_nothing(void)
{
	struct scene *scene = scene_new(NULL, "slow.data");
	g_autofree char *output = scene_rendered(scene, ITP_FORMAT_TREE, 80, false);

	g_assert_nonnull(strstr(output, "nothing to rank"));
	g_assert_null(strstr(output, "share"));
	scene_free(scene);
}

/* Each level forks, so that lines would fill the terminal. */
static void test_deep(void)
{
	enum {
		DEPTH = 3000
	};
	struct scene *scene = scene_new(NULL, "deep.data");
	uint32_t node = itp_context_tree_child(scene->tree, ITP_CONTEXT_ROOT,
					       scene_function(scene, "deep", "deep"));
	uint32_t leaf = scene_function(scene, "deep", "leaf");
	uint32_t recurse = scene_function(scene, "deep", "recurse");
	g_autofree char *output = NULL;
	g_auto(GStrv) lines = NULL;

	for (int i = 0; i < DEPTH; i++) {
		scene_annotate(scene->suspect, itp_context_tree_child(scene->tree, node, leaf), 1);
		node = itp_context_tree_child(scene->tree, node, recurse);
		scene_annotate(scene->suspect, node, 1);
	}
	scene->ranking.suspect_own_ns = 2 * DEPTH * MS;
	output = scene_rendered(scene, ITP_FORMAT_TREE, 80, false);
	lines = g_strsplit(output, "\n", -1);
	g_assert_cmpuint(g_strv_length(lines), >, 2 * DEPTH);
	for (size_t i = 0; lines[i]; i++) {
		g_assert_cmpuint(itp_label_columns(lines[i]), <=, 80);
	}
	scene_free(scene);
}

int main(int argc, char **argv)
{
	g_test_init(&argc, &argv, NULL);
	g_test_set_nonfatal_assertions();
	g_test_add_func("/render/tree/one workload", test_alone);
	g_test_add_func("/render/tree/a comparison", test_comparison);
	g_test_add_func("/render/tree/the top and what leads there", test_top);
	g_test_add_func("/render/tree/waits for work are left out", test_idle);
	g_test_add_func("/render/tree/nothing to show", test_nothing);
	g_test_add_func("/render/tree/a deep tree fits the terminal", test_deep);
	return g_test_run();
}
