/* SPDX-License-Identifier: MIT */
/*
 * What a recording is worth: of the one that was made, and of a short one before, which tells
 * whether perf keeps up with what it is asked for.
 */
#ifndef ITP_PERF_COMMAND_QUALITY_H
#define ITP_PERF_COMMAND_QUALITY_H

#include <glib.h>
#include <stdbool.h>

#include "plugins/perf/command/recipe.h"

/* Makes copies smaller, and at last leaves out system calls, until less than one in a hundred
 * events of a target that runs already is lost; says what was changed. What cannot be tried changes
 * nothing: the recording itself will say why. */
void itp_quality_rehearse(const struct itp_target *target, struct itp_recipe *recipe);

/* Reads the recording of `target` that was made by `recipe` and prints one line of numbers on
 * standard error, and another for each thing that is poor, with what to change. An error when it
 * cannot be read or holds no stacks, unless processes that still run waited all the time. */
bool itp_quality_print(const struct itp_recipe *recipe, const struct itp_target *target,
		       GError **error);

#endif
