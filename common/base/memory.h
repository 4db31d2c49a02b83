/* SPDX-License-Identifier: MIT */
/*
 * Memory exhausted inside of a library.
 *
 * g_malloc() ends the program then. A library with an allocator of its own leaves something out of
 * its answer instead, most often without a word, and the result differs. Libraries with replaceable
 * allocators are given GLib's (render/json.c, control-flow/decode.c); of the rest only errno tells,
 * set by malloc():
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

/* True when memory has run out since itp_memory_begin(). */
static inline bool itp_memory_lacked(void)
{
	return errno == ENOMEM;
}

/* Ends the program as g_malloc() does, where no error can be returned. */
static inline void itp_memory_end(void)
{
	if (itp_memory_lacked()) {
		g_error("%s: failed to allocate memory", G_STRLOC);
	}
}

#endif
