/* SPDX-License-Identifier: MIT */
/*
 * See stacks-scene.h.
 */
#include "tests/unit/stacks-scene.h"

void stacks_scene_init(struct stacks_scene *scene)
{
	scene->functions = itp_function_table_new();
	itp_stack_set_init(&scene->set);
	scene->statistics = NULL;
}

void stacks_scene_release(struct stacks_scene *scene)
{
	itp_stack_statistics_free(scene->statistics);
	itp_stack_set_release(&scene->set);
	itp_function_table_free(scene->functions);
}

uint32_t stacks_scene_intern(struct stacks_scene *scene, const char *name)
{
	struct itp_function function = { .name = name, .module = "shop", .build_id = "" };

	if (g_str_has_prefix(name, "k:")) {
		function.layer = ITP_LAYER_KERNEL;
		function.module = "[kernel]";
	} else if (g_str_has_prefix(name, "c:")) {
		function.is_system = true;
		function.module = "libc.so.6";
	}
	function.is_unnamed = name[0] == '+';
	return itp_function_table_intern(scene->functions, &function);
}

void stacks_scene_add(struct stacks_scene *scene, const char *stack, int64_t cost_ns,
		      uint32_t trace)
{
	g_auto(GStrv) names = g_strsplit(stack, " ", -1);
	uint32_t node = ITP_CONTEXT_ROOT;

	for (guint i = 0; names[i]; i++) {
		node = itp_context_tree_child(scene->set.tree, node,
					      stacks_scene_intern(scene, names[i]));
	}
	itp_stack_set_add(&scene->set, node, cost_ns, 1, trace);
}

void stacks_scene_close(struct stacks_scene *scene)
{
	const struct itp_stack_set *const sets[] = { &scene->set };

	scene->statistics = itp_stack_statistics_new(sets, 1, scene->functions);
}

struct itp_pattern stacks_scene_pattern(struct stacks_scene *scene, const char *text)
{
	g_auto(GStrv) names = g_strsplit(text, " ", -1);
	struct itp_pattern pattern = { .length = g_strv_length(names) };

	pattern.functions = g_new(uint32_t, pattern.length);
	for (guint i = 0; names[i]; i++) {
		pattern.functions[i] = stacks_scene_intern(scene, names[i]);
	}
	return pattern;
}
