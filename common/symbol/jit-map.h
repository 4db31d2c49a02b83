/* SPDX-License-Identifier: MIT */
/*
 * Functions made by a process while it ran, from its map for perf: /tmp/perf-PID.map, lines "START
 * SIZE NAME" in hexadecimal.
 *
 * A map only grows, and says nothing of discarded code: several functions may have been at an
 * address, one after the other. Lines have no times, but an order. An address seen on a stack had
 * its line by then: a map asked in the order of time knows how far it was written at least, and
 * picks the last of several functions up to there.
 *
 * Code of a fixed form is unwound without being read: Python's stubs below each of its functions
 * when it runs for perf (python3 -X perf). They keep no frame pointer, and have no tables.
 */
#ifndef ITP_SYMBOL_JIT_MAP_H
#define ITP_SYMBOL_JIT_MAP_H

#include "common/symbol/symbol-table.h"
#include "common/unwind/cfi.h"

struct itp_jit_map;

/* Map at `path` below `root`, which may be NULL. NULL when the file is missing, not this user's or
 * root's, not regular, or too large. Owned by the caller. */
struct itp_jit_map *itp_jit_map_new(const char *root, const char *path);
/* Map of a running process with a PID namespace of its own: it has another number there, and
 * perhaps another /tmp. NULL for any other process. Owned by the caller. */
struct itp_jit_map *itp_jit_map_new_of_process(int32_t pid);
void itp_jit_map_free(struct itp_jit_map *map);

/* Function at `address` now; NULL when there is none. `*ret_is_only` tells whether no other
 * function was ever there. Valid as long as the map. */
const struct itp_symbol *itp_jit_map_find(struct itp_jit_map *map, uint64_t address,
					  bool *ret_is_only);

/* Unwind row at `address` of the function; NULL when unknown. Static storage. */
const struct itp_cfi_row *itp_made_code_row(const struct itp_symbol *function, uint64_t address);

#endif
