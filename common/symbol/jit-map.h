/* SPDX-License-Identifier: MIT */
/*
 * Functions that a process made while it ran, from the map that it wrote for perf:
 * /tmp/perf-PID.map, lines "START SIZE NAME" in hexadecimal.
 *
 * A map only grows, and says nothing of code that was thrown away: several functions may have been
 * at one address, one after the other. Lines have no times, but an order. What is asked for must
 * have been written by then, so a map that is asked in the order of time knows how much of it had
 * been written at least: of several functions it takes the last of those.
 *
 * Some of that code is always the same, so that nobody has to read it to unwind it: what Python
 * puts under each of its functions when it runs for perf (python3 -X perf). It keeps no frame
 * pointer, nor has it tables.
 */
#ifndef ITP_SYMBOL_JIT_MAP_H
#define ITP_SYMBOL_JIT_MAP_H

#include "common/symbol/symbol-table.h"
#include "common/unwind/cfi.h"

struct itp_jit_map;

/* The map at `path` below `root`, which may be NULL. NULL when there is no such file, or one that
 * is not this user's or root's, not regular, or too large. Owned by the caller. */
struct itp_jit_map *itp_jit_map_new(const char *root, const char *path);
/* The map of a process that runs now in a PID namespace of its own: it has another number there,
 * and perhaps another /tmp. NULL for any other process. Owned by the caller. */
struct itp_jit_map *itp_jit_map_new_of_process(int32_t pid);
void itp_jit_map_free(struct itp_jit_map *map);

/* The function at `address` now; NULL when there is none. `*ret_is_only` is set to whether it is
 * the only one that was ever there. Valid as long as the map. */
const struct itp_symbol *itp_jit_map_find(struct itp_jit_map *map, uint64_t address,
					  bool *ret_is_only);

/* What holds at `address` of the function, a program's own word for it; NULL when it is not known.
 * Static storage. */
const struct itp_cfi_row *itp_made_code_row(const struct itp_symbol *function, uint64_t address);

#endif
