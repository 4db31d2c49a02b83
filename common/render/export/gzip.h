/* SPDX-License-Identifier: MIT */
/*
 * Bytes into a stream, compressed as gzip does it; the same bytes each time.
 */
#ifndef ITP_RENDER_EXPORT_GZIP_H
#define ITP_RENDER_EXPORT_GZIP_H

#include <stddef.h>
#include <stdio.h>
#include <zlib.h>

struct itp_gzip {
	z_stream deflate;
	/* Weak. */
	FILE *stream;
};

/* ITP_ERROR_MEMORY. Errors of `stream` are left to the caller, as with all writers. */
int itp_gzip_init(struct itp_gzip *gzip, FILE *stream);
void itp_gzip_write(struct itp_gzip *gzip, const void *data, size_t bytes);
/* Writes what is left, and releases all. */
void itp_gzip_finish(struct itp_gzip *gzip);

#endif
