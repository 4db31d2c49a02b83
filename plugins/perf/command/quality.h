/* SPDX-License-Identifier: MIT */
/*
 * Quality of a recording: of the finished one, and of a short one before, which tells whether perf
 * keeps up.
 */
#ifndef ITP_PERF_COMMAND_QUALITY_H
#define ITP_PERF_COMMAND_QUALITY_H

#include <glib.h>
#include <stdbool.h>

#include "plugins/perf/record/recipe.h"

/* Makes copies smaller, and at last leaves out system calls, until less than one in a hundred
 * events of a running target is lost; reports the changes. A recipe that cannot be tried is not
 * changed: the recording itself will say why. */
void itp_quality_rehearse(const struct itp_target *target, struct itp_recipe *recipe);

/* Reads the recording of `target` made by `recipe` and prints a line of numbers on standard error,
 * and another for each poor one, with the remedy. An error when it cannot be read or holds no
 * stacks, unless processes that still run waited all the time. */
bool itp_quality_print(const struct itp_recipe *recipe, const struct itp_target *target,
		       GError **error);

#endif
