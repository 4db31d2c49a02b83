/* SPDX-License-Identifier: MIT */
/*
 * Memory that runs out inside of a library.
 *
 * g_malloc() ends the program then. A library that allocates by itself leaves something out of its
 * answer instead, most often without a word, and the result differs by that. Those that take
 * other functions to allocate with are given GLib's (render/json.c, control-flow/decode.c); of the
 * rest only errno tells, which malloc() sets:
 *
 *     itp_memory_begin();
 *     … calls of the library …
 *     itp_memory_end();
 */
#ifndef ITP_BASE_MEMORY_H
#define ITP_BASE_MEMORY_H

#include <errno.h>
#include <glib.h>
#include <stdbool.h>

static inline void itp_memory_begin(void)
{
	errno = 0;
}

/* Whether memory has run out since itp_memory_begin(). */
static inline bool itp_memory_lacked(void)
{
	return errno == ENOMEM;
}

/* Where no error can be returned: ends the program as g_malloc() does. */
static inline void itp_memory_end(void)
{
	if (itp_memory_lacked()) {
		g_error("%s: failed to allocate memory", G_STRLOC);
	}
}

#endif
