/* SPDX-License-Identifier: MIT */
/*
 * Kind of an input path, by what is there: a recording of perf, a file of saved profiles, or a
 * directory with traces in CTF, such as profiles saved by a graph.
 */
#ifndef ITP_ENGINE_INPUTS_H
#define ITP_ENGINE_INPUTS_H

#include <glib.h>
#include <stdbool.h>

#include "common/compare/workload-set.h"

struct itp_inputs {
	/* char *, all as given. Owned by this. */
	GPtrArray *paths;
	/* char *, in the order given. Owned by this. */
	GPtrArray *recordings;
	/* Files of saved profiles: char *, in the order given. Owned by this. */
	GPtrArray *profiles;
	/* For each directory given, a GPtrArray of those in it that hold a trace, char *. Owned by
	 * this. */
	GPtrArray *traces;
};

/* Zeroed before. Released also after an error. */
void itp_inputs_init(struct itp_inputs *inputs);
void itp_inputs_release(struct itp_inputs *inputs);

/* Adds a path. A path of no kind counts as a recording, whose reader explains best; only a
 * directory without anything to read is an error here. */
bool itp_inputs_add(struct itp_inputs *inputs, const char *path, GError **error);

/* Makes the profiles of all files of profiles workloads of `set`. */
bool itp_inputs_read_profiles(const struct itp_inputs *inputs, struct itp_workload_set *set,
			      GError **error);

#endif
