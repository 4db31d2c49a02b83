/* SPDX-License-Identifier: MIT */
/*
 * Whether perf keeps up with what it is asked for: a short recording tells.
 *
 * How many copies of stacks perf can write out depends on what they hold, and on what else runs;
 * how many there are, on how much they slow their target down. None of that is known before.
 */
#ifndef ITP_PERF_COMMAND_REHEARSAL_H
#define ITP_PERF_COMMAND_REHEARSAL_H

#include "plugins/perf/command/recipe.h"

/* Makes copies smaller, and at last leaves out system calls, until less than one in a hundred
 * events of a target that runs already is lost; says what was changed. What cannot be tried changes
 * nothing: the recording itself will say why. */
void itp_rehearsal_fit(const struct itp_target *target, struct itp_recipe *recipe);

#endif
