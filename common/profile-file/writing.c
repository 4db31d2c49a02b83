/* SPDX-License-Identifier: MIT */
/*
 * See profile-file.h.
 */
#include <string.h>

#include "common/profile-file/bytes.h"
#include "common/profile-file/format.h"
#include "common/schema/field.h"
#include "common/schema/profile-records.h"

/* Begins a section. Returns the offset of its size, for end_section(). */
static size_t begin_section(GString *file, const char *kind)
{
	g_string_append(file, kind);
	itp_bytes_put_fixed(file, 0, sizeof(uint64_t));
	return file->len - sizeof(uint64_t);
}

static void end_section(GString *file, size_t size_offset)
{
	itp_bytes_set_fixed(file, size_offset, file->len - size_offset - sizeof(uint64_t),
			    sizeof(uint64_t));
}

/* ---- Layouts ---- */

static bool is_written(enum itp_record_type type)
{
	return ITP_PROFILE_RECORD_TYPES & 1U << type;
}

static void put_layout(GString *file, const struct itp_layout *layout)
{
	itp_bytes_put_text(file, layout->event_name);
	itp_bytes_put_unsigned(file, layout->field_count);
	for (size_t i = 0; i < layout->field_count; i++) {
		itp_bytes_put_text(file, layout->fields[i].name);
		itp_bytes_put_unsigned(file, written_type_of(&layout->fields[i]));
	}
}

/* Number of a layout in the file. */
static unsigned int number_of(enum itp_record_type type)
{
	return (unsigned int)__builtin_popcount(ITP_PROFILE_RECORD_TYPES & ((1U << type) - 1));
}

GString *itp_profile_file_begin(void)
{
	GString *file = g_string_new(ITP_PROFILE_FILE_MAGIC);
	size_t section;

	itp_bytes_put_fixed(file, ITP_PROFILE_FILE_VERSION, sizeof(uint32_t));
	itp_bytes_put_fixed(file, 0, sizeof(uint64_t));
	section = begin_section(file, SECTION_LAYOUTS);
	itp_bytes_put_unsigned(file, number_of(ITP_RECORD_TYPE_COUNT));
	for (enum itp_record_type type = 0; type < ITP_RECORD_TYPE_COUNT; type++) {
		if (is_written(type)) {
			put_layout(file, itp_layout_get(type));
		}
	}
	end_section(file, section);
	return file;
}

/* ---- Profiles ---- */

/* The only array of a profile's records is the histogram of a node. */
static void put_histogram(GString *file, const struct itp_node_record *node)
{
	const size_t count = itp_told_buckets(&node->stats);

	itp_bytes_put_unsigned(file, count);
	for (size_t i = 0; i < count; i++) {
		itp_bytes_put_unsigned(file, node->stats.histogram[i]);
	}
}

/* NULL is written as an empty text. */
static void put_text(GString *file, const char *text)
{
	itp_bytes_put_text(file, text ? text : "");
}

static void put_field(GString *file, const struct itp_field *field, const void *record)
{
	const char *member = (const char *)record + field->offset;

	switch (written_type_of(field)) {
	case WRITTEN_SIGNED:
		itp_bytes_put_signed(file, itp_field_signed(field, member));
		break;
	case WRITTEN_TEXT:
		put_text(file, *(const char *const *)member);
		break;
	case WRITTEN_ARRAY:
		put_histogram(file, record);
		break;
	default:
		itp_bytes_put_unsigned(file, itp_field_unsigned(field, member));
	}
}

static bool put_record(void *data, enum itp_record_type type, const void *record, GError **error)
{
	const struct itp_layout *layout = itp_layout_get(type);
	GString *file = data;

	(void)error;
	itp_bytes_put_unsigned(file, number_of(type));
	for (size_t i = 0; i < layout->field_count; i++) {
		put_field(file, &layout->fields[i], record);
	}
	return true;
}

static bool put_fact(const char *name, const char *text, void *file)
{
	if (text) {
		itp_bytes_put_text(file, name);
		itp_bytes_put_text(file, text);
	}
	return true;
}

static void put_profile(GString *file, const struct itp_memory_profile *profile)
{
	const size_t section = begin_section(file, SECTION_PROFILE);

	itp_bytes_put_text(file, profile->name);
	put_text(file, profile->input_path);
	put_text(file, profile->architecture);
	itp_bytes_put_unsigned(file, profile->clock.has_epoch);
	itp_bytes_put_signed(file, profile->clock.offset_ns);
	(void)profile->tell_facts(profile->data, put_fact, file);
	end_section(file, section);
}

static void put_records(GString *file, const struct itp_profile_source *source)
{
	struct itp_profile_records *records = itp_profile_records_new(source);
	const size_t section = begin_section(file, SECTION_RECORDS);
	bool more = true;

	while (more) {
		(void)itp_profile_records_send(records, put_record, file, &more, NULL);
	}
	end_section(file, section);
	itp_profile_records_free(records);
}

void itp_profile_file_add(GString *file, const struct itp_memory_profile *profile)
{
	put_profile(file, profile);
	put_records(file, &profile->source);
}

void itp_profile_file_end(GString *file)
{
	GChecksum *checksum = g_checksum_new(DIGEST_KIND);
	guint8 digest[DIGEST_BYTES];
	gsize size = sizeof(digest);

	itp_bytes_set_fixed(file, SIZE_OFFSET, file->len + DIGEST_BYTES, sizeof(uint64_t));
	g_checksum_update(checksum, (const guchar *)file->str, (gssize)file->len);
	g_checksum_get_digest(checksum, digest, &size);
	g_string_append_len(file, (const char *)digest, (gssize)size);
	g_checksum_free(checksum);
}
