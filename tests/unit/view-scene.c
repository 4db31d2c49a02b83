/* SPDX-License-Identifier: MIT */
/*
 * See view-scene.h.
 */
#include "tests/unit/latencies.h"
#include "tests/unit/view-scene.h"

void view_scene_set_up(struct view_scene *scene, gconstpointer data)
{
	(void)data;
	scene->functions = itp_function_table_new();
	scene->tree = itp_context_tree_new();
	scene->profiles = g_ptr_array_new_with_free_func((GDestroyNotify)itp_profile_free);
	g_ptr_array_add(scene->profiles, itp_profile_new("one"));
	g_ptr_array_add(scene->profiles, itp_profile_new("two"));
	scene->names = itp_names_new(true);
	scene->options = (struct itp_view_options){ .names = scene->names };
}

void view_scene_tear_down(struct view_scene *scene, gconstpointer data)
{
	(void)data;
	for (size_t i = 0; i < ITP_VIEW_PATTERN_COUNT; i++) {
		itp_patterns_free((struct itp_patterns *)scene->options.patterns[i]);
	}
	itp_names_free(scene->names);
	g_ptr_array_unref(scene->profiles);
	itp_context_tree_free(scene->tree);
	itp_function_table_free(scene->functions);
}

struct itp_profile *view_scene_profile(const struct view_scene *scene, guint i)
{
	return g_ptr_array_index(scene->profiles, i);
}

uint32_t view_scene_function(struct view_scene *scene, const char *text, enum itp_layer layer)
{
	g_auto(GStrv) module = g_strsplit(text, "!", 2);
	g_auto(GStrv) build = g_strsplit(module[1] ? module[1] : text, "@", 2);
	const struct itp_function function = {
		.name = build[0],
		.module = module[1]                  ? module[0] :
			  layer == ITP_LAYER_PROCESS ? "" :
						       "shop",
		.build_id = build[1] ? build[1] : "",
		.layer = layer,
		.is_unnamed = build[0][0] == '+',
	};

	return itp_function_table_intern(scene->functions, &function);
}

uint32_t view_scene_node(struct view_scene *scene, const char *path)
{
	g_auto(GStrv) words = g_strsplit(path, " ", -1);
	uint32_t node = ITP_CONTEXT_ROOT;

	for (size_t i = 0; words[i]; i++) {
		node = itp_context_tree_child(
			scene->tree, node,
			view_scene_function(scene, words[i],
					    i == 0 ? ITP_LAYER_PROCESS : ITP_LAYER_USER));
	}
	return node;
}

void view_scene_add_calls(struct view_scene *scene, guint profile, uint32_t node, uint64_t count,
			  int64_t own_ns)
{
	struct itp_node_stats *stats = itp_profile_node(view_scene_profile(scene, profile), node);

	for (uint64_t i = 0; i < count; i++) {
		test_add_latency(stats, 0, 0, 0);
	}
	stats->max_count += count + 1;
	stats->max_ns = MAX(stats->max_ns, own_ns);
	stats->own_ns += own_ns;
	stats->own_use.cpu_ns += own_ns / 2;
	/* Tell by how well they are known whether they went with the own latency. */
	stats->samples += (uint64_t)own_ns;
	stats->own_variance_us2 += 2 * (uint64_t)own_ns;
	while (node != ITP_CONTEXT_ROOT) {
		stats = itp_profile_node(view_scene_profile(scene, profile), node);
		stats->total_ns += own_ns;
		stats->lower_ns += own_ns - 1;
		stats->upper_ns += own_ns + 2;
		stats->use.cpu_ns += own_ns / 2;
		node = itp_context_tree_get(scene->tree, node)->parent;
	}
}

void view_scene_set_pattern(struct view_scene *scene, enum itp_view_pattern pattern,
			    const char *text)
{
	g_autoptr(GPtrArray) texts = g_ptr_array_new();
	GError *error = NULL;

	g_ptr_array_add(texts, (char *)text);
	scene->options.patterns[pattern] =
		itp_patterns_new(itp_view_pattern_names[pattern], texts, &error);
	g_assert_no_error(error);
}

struct itp_view_input view_scene_input(const struct view_scene *scene)
{
	return (struct itp_view_input){ .functions = scene->functions,
					.tree = scene->tree,
					.profiles = scene->profiles };
}

char *view_scene_path(const struct itp_function_table *functions,
		      const struct itp_context_tree *tree, uint32_t node)
{
	g_autoptr(GArray) path = g_array_new(FALSE, FALSE, sizeof(uint32_t));
	GString *text = g_string_new(NULL);

	itp_context_tree_path(tree, node, path);
	for (guint i = 0; i < path->len; i++) {
		g_string_append_printf(
			text, "%s%s", i == 0 ? "" : " ",
			itp_function_table_get(functions, g_array_index(path, uint32_t, i))->name);
	}
	return g_string_free(text, FALSE);
}
