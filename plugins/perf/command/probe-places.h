/* SPDX-License-Identifier: MIT */
/*
 * Where functions begin, by what a user calls them: F, FILE:F or FILE+0xADDRESS.
 *
 * F is a name as results show it, of C++ and Rust with or without the types of the parameters. FILE
 * is the name of a file of the target, or a path; the address is the file's own, as in the names of
 * functions without a symbol. All that is called so is meant.
 */
#ifndef ITP_PERF_COMMAND_PROBE_PLACES_H
#define ITP_PERF_COMMAND_PROBE_PLACES_H

#include <stdint.h>

#include "plugins/perf/command/target.h"

struct itp_probe_place {
	/* Owned by this. */
	char *path;
	/* In the file. */
	uint64_t offset;
};

/* For g_array_set_clear_func(). */
void itp_probe_place_clear(gpointer place);

/* Appends the places of `function` in `files`, paths of the target, to `places`, a GArray of struct
 * itp_probe_place, unless they are there. False with an error when there are none, or too many. */
bool itp_probe_places_find(const char *function, const GPtrArray *files, GArray *places,
			   GError **error);

#endif
