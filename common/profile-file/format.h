/* SPDX-License-Identifier: MIT */
/*
 * Parts of a file of profiles, as introperf-profile(5) describes them: a header, sections, and a
 * digest of all bytes before it.
 */
#ifndef ITP_PROFILE_FILE_FORMAT_H
#define ITP_PROFILE_FILE_FORMAT_H

#include "common/profile-file/profile-file.h"
#include "common/schema/schema.h"

/* Offsets in the header, in bytes: of the version, of the file's size, and of the end. */
#define VERSION_OFFSET ITP_PROFILE_FILE_MAGIC_BYTES
#define SIZE_OFFSET (VERSION_OFFSET + sizeof(uint32_t))
#define HEADER_BYTES (SIZE_OFFSET + sizeof(uint64_t))

/* A section begins with its kind, four letters, and the size of the rest. */
#define KIND_BYTES 4
#define SECTION_LAYOUTS "LAYT"
#define SECTION_PROFILE "PROF"
#define SECTION_RECORDS "RECS"

#define DIGEST_KIND G_CHECKSUM_SHA256
#define DIGEST_BYTES 32

/* Type of a field in a file. */
enum written_type {
	WRITTEN_UNSIGNED,
	WRITTEN_SIGNED,
	WRITTEN_TEXT,
	WRITTEN_ARRAY,
	WRITTEN_TYPE_COUNT,
};

static inline enum written_type written_type_of(const struct itp_field *field)
{
	switch (field->type) {
	case ITP_FIELD_SIGNED:
		return WRITTEN_SIGNED;
	case ITP_FIELD_STRING:
		return WRITTEN_TEXT;
	case ITP_FIELD_ARRAY:
	case ITP_FIELD_ADDRESSES:
		return WRITTEN_ARRAY;
	default:
		return WRITTEN_UNSIGNED;
	}
}

#endif
