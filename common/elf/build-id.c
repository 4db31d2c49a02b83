/* SPDX-License-Identifier: MIT */
/*
 * See build-id.h. Notes are walked by hand because the kernel's come as a bare file, without an ELF
 * header.
 */
#include "common/elf/build-id.h"

#include <elf.h>
#include <glib.h>
#include <string.h>

#include "common/elf/bytes.h"

/* Notes are padded to 4 bytes. */
#define NOTE_ALIGNMENT 4

char *itp_build_id_text(const uint8_t *bytes, size_t size)
{
	static const char digits[] = "0123456789abcdef";
	char *text;

	if (size > ITP_BUILD_ID_MAX_BYTES) {
		size = 0;
	}
	text = g_malloc(2 * size + 1);
	for (size_t i = 0; i < size; i++) {
		text[2 * i] = digits[bytes[i] >> 4];
		text[2 * i + 1] = digits[bytes[i] & 15];
	}
	text[2 * size] = '\0';
	return text;
}

static uint64_t padded(uint32_t size)
{
	return ((uint64_t)size + NOTE_ALIGNMENT - 1) & ~(uint64_t)(NOTE_ALIGNMENT - 1);
}

char *itp_build_id_from_notes(const uint8_t *notes, size_t size)
{
	struct itp_bytes bytes = { .data = notes, .size = size };
	uint32_t name_size;
	uint32_t content_size;
	uint32_t type;

	while (itp_bytes_u32(&bytes, &name_size) && itp_bytes_u32(&bytes, &content_size) &&
	       itp_bytes_u32(&bytes, &type)) {
		const uint8_t *name = itp_bytes_take(&bytes, padded(name_size));
		const uint8_t *content = itp_bytes_take(&bytes, content_size);

		if (!name || !content) {
			return NULL;
		}
		if (type == NT_GNU_BUILD_ID && name_size == sizeof(ELF_NOTE_GNU) &&
		    memcmp(name, ELF_NOTE_GNU, sizeof(ELF_NOTE_GNU)) == 0) {
			return itp_build_id_text(content, content_size);
		}
		/* The last note may lack its padding. */
		if (!itp_bytes_take(&bytes, padded(content_size) - content_size)) {
			return NULL;
		}
	}
	return NULL;
}

char *itp_build_id_running_kernel(void)
{
	g_autofree char *notes = NULL;
	gsize size;

	if (!g_file_get_contents("/sys/kernel/notes", &notes, &size, NULL)) {
		return NULL;
	}
	return itp_build_id_from_notes((const uint8_t *)notes, size);
}

bool itp_build_id_may_equal(const char *left, const char *right)
{
	const char *rest;
	size_t common = 0;

	if (*left == '\0' || *right == '\0') {
		return true;
	}
	while (left[common] != '\0' && left[common] == right[common]) {
		common++;
	}
	rest = left[common] == '\0' ? right + common : left + common;
	return (left[common] == '\0' || right[common] == '\0') && rest[strspn(rest, "0")] == '\0';
}
