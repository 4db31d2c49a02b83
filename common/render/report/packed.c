/* SPDX-License-Identifier: MIT */
/*
 * See packed.h.
 */
#include "common/render/report/packed.h"

#include <zlib.h>

/* Size below which data are left as they are: there at once, and readable in any browser, as
 * browsers compress and decompress in the background only. */
#define PLAIN_MOST_BYTES (64 << 10)
/* Numbers gain little by more, and whoever writes the page waits. */
#define LEVEL 1

void itp_packed_append(GByteArray *bytes, uint64_t value)
{
	guint8 buffer[10];
	guint length = 0;

	for (; value > 0x7f; value >>= 7) {
		buffer[length++] = (guint8)(value | 0x80);
	}
	buffer[length++] = (guint8)value;
	g_byte_array_append(bytes, buffer, length);
}

static void append_signed(GByteArray *bytes, int64_t value)
{
	uint64_t twice = (uint64_t)value << 1;

	itp_packed_append(bytes, value < 0 ? ~twice : twice);
}

void itp_packed_append_column(GByteArray *bytes, const int64_t *values, size_t count)
{
	int64_t any = 0;

	for (size_t i = 0; i < count; i++) {
		any |= values[i];
	}
	itp_packed_append(bytes, any != 0);
	for (size_t i = 0; any != 0 && i < count; i++) {
		append_signed(bytes, values[i]);
	}
}

static void append_base64(const guint8 *bytes, gsize length, GString *output)
{
	g_autofree char *text = g_base64_encode(bytes, length);

	g_string_append(output, text);
}

void itp_packed_append_text(const GByteArray *bytes, GString *output)
{
	uLong length = compressBound(bytes->len);
	g_autofree guint8 *compressed = NULL;

	if (bytes->len > PLAIN_MOST_BYTES) {
		compressed = g_malloc(length);
	}
	if (compressed && compress2(compressed, &length, bytes->data, bytes->len, LEVEL) == Z_OK) {
		g_string_append(output, "zlib:");
		append_base64(compressed, length, output);
	} else {
		g_string_append(output, "raw:");
		append_base64(bytes->data, bytes->len, output);
	}
}
