/* SPDX-License-Identifier: MIT */
/*
 * How unlike sets of call paths are (PerfGuard, Algorithm 1): for each pair of paths, one of either
 * set, the part of the longer one that is not in their longest common subsequence; on average.
 * Gates to the kernel do not count (gates.h).
 *
 * Each path is compared with each other one once. So many paths below one loop are known, those of
 * the first sets; others do not count.
 */
#ifndef ITP_UNIT_DISTANCES_H
#define ITP_UNIT_DISTANCES_H

#include "common/base/context-tree.h"
#include "common/base/function-table.h"
#include "common/unit/path-sets.h"

#define ITP_MAX_COMPARED_PATHS 1024

struct itp_set_distances;

/* Of `count` sets of paths below the node `loop`. `sets` is weak. */
struct itp_set_distances *itp_set_distances_new(const struct itp_context_tree *tree,
						const struct itp_function_table *functions,
						uint32_t loop, const struct itp_path_sets *sets,
						const uint32_t *ids, guint count);
void itp_set_distances_free(struct itp_set_distances *distances);

/* The paths of any set that are known, by their numbers: a GArray of guint. Free with
 * g_array_unref(). */
GArray *itp_set_distances_paths(const struct itp_set_distances *distances, uint32_t id);

/* Of set number `i` of these and any set, of which these are the paths: 0 to 1, 0 where one has no
 * known path. */
double itp_set_distance(const struct itp_set_distances *distances, guint i, const GArray *paths);

/* Of a set to itself: of different paths, which are unlike each other. */
double itp_set_own_distance(const struct itp_set_distances *distances, const GArray *paths);

#endif
