/* SPDX-License-Identifier: MIT */
/*
 * Points in the small functions that are asked about: labels that begin with ".p.".
 */
#ifndef ITP_TESTS_FLOW_POINTS_H
#define ITP_TESTS_FLOW_POINTS_H

#include <glib.h>
#include <stdint.h>

/* Adds those of the file at `path` to `points`, from their names without the prefix, which are to
 * be freed with g_free(), to their addresses (uint64_t *, the same), which count from `start`. */
void test_points_add(GHashTable *points, const char *path, uint64_t start);

#endif
