/* SPDX-License-Identifier: MIT */
/*
 * For tests of patterns and their likeness: the stacks of some traces, written as names.
 */
#ifndef TESTS_STACKS_SCENE_H
#define TESTS_STACKS_SCENE_H

#include "common/mine/similarity.h"

struct stacks_scene {
	/* All owned by this; the statistics are there once the scene is closed. */
	struct itp_function_table *functions;
	struct itp_stack_set set;
	struct itp_stack_statistics *statistics;
};

void stacks_scene_init(struct stacks_scene *scene);
void stacks_scene_release(struct stacks_scene *scene);

/* "k:" is the kernel's, "c:" of the C library, "+" has no name. */
uint32_t stacks_scene_intern(struct stacks_scene *scene, const char *name);

/* `stack`: names, the outermost first. */
void stacks_scene_add(struct stacks_scene *scene, const char *stack, int64_t cost_ns,
		      uint32_t trace);

/* All stacks are there. */
void stacks_scene_close(struct stacks_scene *scene);

/* Of names, as in a stack. Its functions are to be freed. */
struct itp_pattern stacks_scene_pattern(struct stacks_scene *scene, const char *text);

#endif
