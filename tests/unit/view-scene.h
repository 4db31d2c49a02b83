/* SPDX-License-Identifier: MIT */
/*
 * For the tests of views: two workloads on one tree that is written down, and how to look at them.
 */
#ifndef ITP_TESTS_VIEW_SCENE_H
#define ITP_TESTS_VIEW_SCENE_H

#include "common/view/view.h"

/* Two workloads on one tree, and how to look at them. */
struct view_scene {
	struct itp_function_table *functions;
	struct itp_context_tree *tree;
	GPtrArray *profiles;
	struct itp_names *names;
	struct itp_view_options options;
};

void view_scene_set_up(struct view_scene *scene, gconstpointer data);
void view_scene_tear_down(struct view_scene *scene, gconstpointer data);
struct itp_profile *view_scene_profile(const struct view_scene *scene, guint i);
/* "main", "libz.so.1!inflate", or "+0x10@BUILD" for a place without a name. */
uint32_t view_scene_function(struct view_scene *scene, const char *text, enum itp_layer layer);
/* Node of "p main work", a process and functions. */
uint32_t view_scene_node(struct view_scene *scene, const char *path);
/* Adds `count` calls of `own_ns` together, of which callers know as well: add them before. */
void view_scene_add_calls(struct view_scene *scene, guint profile, uint32_t node, uint64_t count,
			  int64_t own_ns);
void view_scene_set_pattern(struct view_scene *scene, enum itp_view_pattern pattern,
			    const char *text);
struct itp_view_input view_scene_input(const struct view_scene *scene);
/* "p main work" of a node of a view. The caller frees it. */
char *view_scene_path(const struct itp_function_table *functions,
		      const struct itp_context_tree *tree, uint32_t node);

#endif
