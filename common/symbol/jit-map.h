/* SPDX-License-Identifier: MIT */
/*
 * Functions that a process made while it ran, from the map that it wrote for perf:
 * /tmp/perf-PID.map, lines "START SIZE NAME" in hexadecimal.
 */
#ifndef ITP_SYMBOL_JIT_MAP_H
#define ITP_SYMBOL_JIT_MAP_H

#include "common/symbol/symbol-table.h"

struct itp_jit_map {
	/* Owned by this; the names lie in it. */
	char *text;
	struct itp_symbol_table table;
};

/* The map at `path` below `root`, which may be NULL. NULL when there is no such file, or one that
 * is not this user's or root's, not regular, or too large. Owned by the caller. */
struct itp_jit_map *itp_jit_map_new(const char *root, const char *path);
void itp_jit_map_free(struct itp_jit_map *map);

#endif
