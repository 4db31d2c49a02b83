/* SPDX-License-Identifier: MIT */
/*
 * See bytes.h.
 */
#include "common/profile-file/bytes.h"

#include <string.h>

#define BITS 7
#define MORE 0x80
#define VALUE 0x7f

void itp_bytes_put_fixed(GString *bytes, uint64_t value, size_t width)
{
	for (size_t i = 0; i < width; i++) {
		g_string_append_c(bytes, (char)(value >> 8 * i));
	}
}

void itp_bytes_set_fixed(GString *bytes, size_t offset, uint64_t value, size_t width)
{
	for (size_t i = 0; i < width; i++) {
		bytes->str[offset + i] = (char)(value >> 8 * i);
	}
}

void itp_bytes_put_unsigned(GString *bytes, uint64_t value)
{
	for (; value > VALUE; value >>= BITS) {
		g_string_append_c(bytes, (char)(value | MORE));
	}
	g_string_append_c(bytes, (char)value);
}

void itp_bytes_put_signed(GString *bytes, int64_t value)
{
	itp_bytes_put_unsigned(bytes, (uint64_t)value << 1 ^ (value < 0 ? UINT64_MAX : 0));
}

void itp_bytes_put_text(GString *bytes, const char *text)
{
	g_string_append_len(bytes, text, (gssize)strlen(text) + 1);
}

bool itp_bytes_get_fixed(struct itp_bytes *bytes, size_t width, uint64_t *ret_value)
{
	uint64_t value = 0;

	if (itp_bytes_left(bytes) < width) {
		return false;
	}
	for (size_t i = 0; i < width; i++) {
		value |= (uint64_t)(uint8_t)bytes->at[i] << 8 * i;
	}
	bytes->at += width;
	*ret_value = value;
	return true;
}

bool itp_bytes_get_unsigned(struct itp_bytes *bytes, uint64_t *ret_value)
{
	const char *at = bytes->at;
	uint64_t value = 0;
	uint8_t byte = MORE;

	for (unsigned int shift = 0; byte & MORE; shift += BITS) {
		if (at == bytes->end || shift >= 64) {
			return false;
		}
		byte = (uint8_t)*at++;
		value |= (uint64_t)(byte & VALUE) << shift;
		if (value >> shift != (byte & VALUE)) {
			return false;
		}
	}
	bytes->at = at;
	*ret_value = value;
	return true;
}

bool itp_bytes_get_signed(struct itp_bytes *bytes, int64_t *ret_value)
{
	uint64_t value;

	if (!itp_bytes_get_unsigned(bytes, &value)) {
		return false;
	}
	*ret_value = (int64_t)(value >> 1 ^ (value & 1 ? UINT64_MAX : 0));
	return true;
}

bool itp_bytes_get_text(struct itp_bytes *bytes, const char **ret_text)
{
	const char *end = memchr(bytes->at, '\0', itp_bytes_left(bytes));

	if (!end) {
		return false;
	}
	*ret_text = bytes->at;
	bytes->at = end + 1;
	return true;
}
