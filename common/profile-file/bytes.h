/* SPDX-License-Identifier: MIT */
/*
 * Numbers and texts in bytes. Numbers of a known width have the lowest byte first. Others have
 * seven bits in each byte, the lowest first, of which all but the last have the eighth bit set;
 * signed ones come as twice the number, or one less than twice its opposite. A text ends with a
 * zero.
 */
#ifndef ITP_PROFILE_FILE_BYTES_H
#define ITP_PROFILE_FILE_BYTES_H

#include <glib.h>
#include <stdbool.h>
#include <stdint.h>

void itp_bytes_put_fixed(GString *bytes, uint64_t value, size_t width);
void itp_bytes_set_fixed(GString *bytes, size_t offset, uint64_t value, size_t width);
void itp_bytes_put_unsigned(GString *bytes, uint64_t value);
void itp_bytes_put_signed(GString *bytes, int64_t value);
void itp_bytes_put_text(GString *bytes, const char *text);

/* Bytes still to be read. Weak. */
struct itp_bytes {
	const char *at;
	const char *end;
};

static inline size_t itp_bytes_left(const struct itp_bytes *bytes)
{
	return (size_t)(bytes->end - bytes->at);
}

/* False, and nothing is read, when the bytes end before, or hold no such number. */
bool itp_bytes_get_fixed(struct itp_bytes *bytes, size_t width, uint64_t *ret_value);
bool itp_bytes_get_unsigned(struct itp_bytes *bytes, uint64_t *ret_value);
bool itp_bytes_get_signed(struct itp_bytes *bytes, int64_t *ret_value);
/* *ret_text is weak. */
bool itp_bytes_get_text(struct itp_bytes *bytes, const char **ret_text);

#endif
