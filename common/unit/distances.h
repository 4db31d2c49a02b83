/* SPDX-License-Identifier: MIT */
/*
 * Distance of two sets of call paths (PerfGuard, Algorithm 1): for each pair of paths, one of
 * either set, the part of the longer path outside of their longest common subsequence; the mean
 * over pairs. Gates to the kernel do not count (gates.h).
 *
 * Each pair of paths is compared once. Of the paths below a loop, only the first ones count, in the
 * order of the sets.
 */
#ifndef ITP_UNIT_DISTANCES_H
#define ITP_UNIT_DISTANCES_H

#include "common/base/context-tree.h"
#include "common/base/function-table.h"
#include "common/unit/path-sets.h"

#define ITP_MAX_COMPARED_PATHS 1024

struct itp_set_distances;

/* Distances to `count` sets of paths below the node `loop`. `sets` is weak. */
struct itp_set_distances *itp_set_distances_new(const struct itp_context_tree *tree,
						const struct itp_function_table *functions,
						uint32_t loop, const struct itp_path_sets *sets,
						const uint32_t *ids, guint count);
void itp_set_distances_free(struct itp_set_distances *distances);

/* Known paths of any set, by their numbers: a GArray of guint. Free with g_array_unref(). */
GArray *itp_set_distances_paths(const struct itp_set_distances *distances, uint32_t id);

/* Distance, 0 to 1, of the set number `i` of `ids` to any set with the paths `paths`; 0 when either
 * has no known path. */
double itp_set_distance(const struct itp_set_distances *distances, guint i, const GArray *paths);

/* Distance of a set to itself, from 0 to 1: its different paths are unlike each other. */
double itp_set_own_distance(const struct itp_set_distances *distances, const GArray *paths);

#endif
