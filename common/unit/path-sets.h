/* SPDX-License-Identifier: MIT */
/*
 * Sets of call paths, each by the nodes at which they end; equal sets have one id.
 */
#ifndef ITP_UNIT_PATH_SETS_H
#define ITP_UNIT_PATH_SETS_H

#include <glib.h>
#include <stdint.h>

/* How many sets are told apart; what comes later is in ITP_PATH_SET_OTHERS. */
#define ITP_MAX_PATH_SETS (1u << 16)
#define ITP_PATH_SET_OTHERS UINT32_MAX
/* The set of no path, which is always there. */
#define ITP_PATH_SET_NONE 0

/* How many paths they have together; sets that would have more are others, too. */
#define ITP_MAX_PATHS_OF_SETS (1u << 24)

/* So many different paths of a set are known in any case; of more than twice as many some are left
 * out. */
#define ITP_MAX_PATHS 4096

/* Adds to a set that is being made: a GArray of uint32_t, in which a path may be twice. */
void itp_path_set_add(GArray *nodes, const uint32_t *more, size_t count);
void itp_path_set_add_all(GArray *nodes, const GArray *more);

struct itp_path_sets;

struct itp_path_sets *itp_path_sets_new(void);
void itp_path_sets_free(struct itp_path_sets *sets);

/* Id of the set of these nodes (uint32_t), which are sorted meanwhile, each of them once. */
uint32_t itp_path_sets_intern(struct itp_path_sets *sets, GArray *nodes);

/* The nodes of a set, ascending; weak, valid until the sets are freed. */
const uint32_t *itp_path_sets_get(const struct itp_path_sets *sets, uint32_t id, size_t *ret_count);

/* Likewise, where ITP_PATH_SET_OTHERS is a set without paths: nothing is known of these. */
const uint32_t *itp_path_sets_get_known(const struct itp_path_sets *sets, uint32_t id,
					size_t *ret_count);
static inline uint32_t itp_path_sets_known(uint32_t id)
{
	return id == ITP_PATH_SET_OTHERS ? ITP_PATH_SET_NONE : id;
}

guint itp_path_sets_size(const struct itp_path_sets *sets);

#endif
