/* SPDX-License-Identifier: MIT */
/* See gzip.h. */
#include "common/render/export/gzip.h"

#include "common/base/error.h"

/* For deflateInit2(): the largest window, with a header of gzip. */
#define WINDOW_BITS (15 + 16)
#define MEMORY_LEVEL 8
#define BUFFER_BYTES 16384

int itp_gzip_init(struct itp_gzip *gzip, FILE *stream)
{
	*gzip = (struct itp_gzip){ .stream = stream };
	return deflateInit2(&gzip->deflate, Z_DEFAULT_COMPRESSION, Z_DEFLATED, WINDOW_BITS,
			    MEMORY_LEVEL, Z_DEFAULT_STRATEGY) == Z_OK ?
		       ITP_OK :
		       ITP_ERROR_MEMORY;
}

static void deflate_all(struct itp_gzip *gzip, int flush)
{
	unsigned char buffer[BUFFER_BYTES];

	do {
		gzip->deflate.next_out = buffer;
		gzip->deflate.avail_out = BUFFER_BYTES;
		(void)deflate(&gzip->deflate, flush);
		fwrite(buffer, 1, BUFFER_BYTES - gzip->deflate.avail_out, gzip->stream);
	} while (gzip->deflate.avail_out == 0);
}

void itp_gzip_write(struct itp_gzip *gzip, const void *data, size_t bytes)
{
	gzip->deflate.next_in = (unsigned char *)data;
	gzip->deflate.avail_in = (unsigned int)bytes;
	deflate_all(gzip, Z_NO_FLUSH);
}

void itp_gzip_finish(struct itp_gzip *gzip)
{
	gzip->deflate.avail_in = 0;
	deflate_all(gzip, Z_FINISH);
	(void)deflateEnd(&gzip->deflate);
}
