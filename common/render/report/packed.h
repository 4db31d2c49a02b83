/* SPDX-License-Identifier: MIT */
/*
 * Many numbers in few bytes, and bytes in the text of a page: packed.js reads both.
 *
 * A number has seven bits in each byte, the lowest first, and the eighth where more follow; one
 * that may be negative is doubled, and negative ones are twice their opposite minus one. Numbers of
 * a kind are a column, as similar numbers compress better.
 */
#ifndef ITP_RENDER_REPORT_PACKED_H
#define ITP_RENDER_REPORT_PACKED_H

#include <glib.h>
#include <stdint.h>

void itp_packed_append(GByteArray *bytes, uint64_t value);

/* Column: a byte that tells whether any number follows, which none does where all are 0; and
 * `count` of them, which may be negative. */
void itp_packed_append_column(GByteArray *bytes, const int64_t *values, size_t count);

/* Appends "raw:" and the bytes, or "zlib:" and the compressed bytes, where worth the wait; in
 * base64. */
void itp_packed_append_text(const GByteArray *bytes, GString *output);

#endif
