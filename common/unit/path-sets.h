/* SPDX-License-Identifier: MIT */
/*
 * Sets of call paths, each path by its last node; equal sets have one id.
 */
#ifndef ITP_UNIT_PATH_SETS_H
#define ITP_UNIT_PATH_SETS_H

#include <glib.h>
#include <stdint.h>

/* Most sets told apart; later ones are in ITP_PATH_SET_OTHERS. */
#define ITP_MAX_PATH_SETS (1u << 16)
#define ITP_PATH_SET_OTHERS UINT32_MAX
/* Set of no path, always present. */
#define ITP_PATH_SET_NONE 0

/* Most paths of all sets together; sets beyond are others, too. */
#define ITP_MAX_PATHS_OF_SETS (1u << 24)

/* Number of different paths always kept in a set; of more than twice as many some are left out. */
#define ITP_MAX_PATHS 4096

/* Mark of a node in a set in the making: the call speaks with a server asked by the process, rather
 * than with a client. A function that reads or writes for both has one node for both. Nodes, places
 * in an array, are below the mark. */
#define ITP_PATH_ASKS (1u << 31)

static inline uint32_t itp_path_node(uint32_t path)
{
	return path & ~ITP_PATH_ASKS;
}

/* Adds nodes to a set in the making: a GArray of uint32_t, perhaps with a path twice. */
void itp_path_set_add(GArray *nodes, const uint32_t *more, size_t count);
void itp_path_set_add_all(GArray *nodes, const GArray *more);

struct itp_path_sets;

struct itp_path_sets *itp_path_sets_new(void);
void itp_path_sets_free(struct itp_path_sets *sets);

/* Id of the set of these nodes (uint32_t); sorts `nodes` and removes doubles. */
uint32_t itp_path_sets_intern(struct itp_path_sets *sets, GArray *nodes);

/* Nodes of a set, ascending; weak, valid until the sets are freed. */
const uint32_t *itp_path_sets_get(const struct itp_path_sets *sets, uint32_t id, size_t *ret_count);

/* Nodes of a set; ITP_PATH_SET_OTHERS, of unknown paths, counts as a set without paths. */
const uint32_t *itp_path_sets_get_known(const struct itp_path_sets *sets, uint32_t id,
					size_t *ret_count);
static inline uint32_t itp_path_sets_known(uint32_t id)
{
	return id == ITP_PATH_SET_OTHERS ? ITP_PATH_SET_NONE : id;
}

#endif
