/* SPDX-License-Identifier: MIT */
/*
 * What a recording is worth, right after it was made.
 */
#ifndef ITP_PERF_COMMAND_QUALITY_H
#define ITP_PERF_COMMAND_QUALITY_H

#include <glib.h>
#include <stdbool.h>

#include "common/infer/infer.h"
#include "common/rank/machine.h"
#include "plugins/perf/command/recipe.h"

struct itp_quality {
	struct itp_infer_counts counts;
	/* CPU time of all threads that were recorded, and of it what recording took. */
	int64_t cpu_ns;
	int64_t recorder_ns;
	/* Frames of code that was made or interpreted while it ran. */
	struct itp_machine_code made;
};

/* Reads a recording to its end, for what it holds. Returns 0, or a negative itp_error as in the
 * reader. */
int itp_quality_count(const char *path, struct itp_quality *ret_quality);

/* Reads the recording that was made by `recipe` and prints one line of numbers on standard error,
 * and another for each thing that is poor, with what to change. An error when it cannot be read or
 * holds no stacks. */
bool itp_quality_print(const struct itp_recipe *recipe, GError **error);

#endif
