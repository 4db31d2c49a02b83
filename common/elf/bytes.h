/* SPDX-License-Identifier: MIT */
/*
 * Numbers and strings out of untrusted memory.
 *
 * The load functions read little endian from any alignment; recordings and files of big-endian
 * machines are refused before. An itp_bytes is a cursor over a part of
 * a file: taking moves it on, and taking more than there is fails and takes nothing.
 */
#ifndef ITP_ELF_BYTES_H
#define ITP_ELF_BYTES_H

#include <glib.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

static inline uint16_t itp_load_u16(const void *memory)
{
	uint16_t value;

	memcpy(&value, memory, sizeof(value));
	return GUINT16_FROM_LE(value);
}

static inline uint32_t itp_load_u32(const void *memory)
{
	uint32_t value;

	memcpy(&value, memory, sizeof(value));
	return GUINT32_FROM_LE(value);
}

static inline uint64_t itp_load_u64(const void *memory)
{
	uint64_t value;

	memcpy(&value, memory, sizeof(value));
	return GUINT64_FROM_LE(value);
}

struct itp_bytes {
	/* Weak. */
	const uint8_t *data;
	size_t size;
};

/* Next `size` bytes, NULL when there are fewer. */
static inline const uint8_t *itp_bytes_take(struct itp_bytes *bytes, uint64_t size)
{
	const uint8_t *data = bytes->data;

	if (size > bytes->size) {
		return NULL;
	}
	bytes->data += size;
	bytes->size -= (size_t)size;
	return data;
}

static inline bool itp_bytes_u32(struct itp_bytes *bytes, uint32_t *ret_value)
{
	const uint8_t *data = itp_bytes_take(bytes, sizeof(*ret_value));

	if (data) {
		*ret_value = itp_load_u32(data);
	}
	return data != NULL;
}

static inline bool itp_bytes_u64(struct itp_bytes *bytes, uint64_t *ret_value)
{
	const uint8_t *data = itp_bytes_take(bytes, sizeof(*ret_value));

	if (data) {
		*ret_value = itp_load_u64(data);
	}
	return data != NULL;
}

/* String with its end, NULL without an end. */
static inline const char *itp_bytes_string(struct itp_bytes *bytes)
{
	const uint8_t *end = bytes->size > 0 ? memchr(bytes->data, 0, bytes->size) : NULL;

	return end ? (const char *)itp_bytes_take(bytes, (uint64_t)(end - bytes->data) + 1) : NULL;
}

#endif
