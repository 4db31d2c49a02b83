/* SPDX-License-Identifier: MIT */
/*
 * See profile-file.h. A file may come from anywhere. The digest tells damage by chance; what
 * somebody has made on purpose meets the checks of each number, text, id and record. Counts are
 * never trusted: each of what they count takes a byte of the file.
 */
#define _GNU_SOURCE /* TEMP_FAILURE_RETRY */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "common/base/failure.h"
#include "common/base/input-file.h"
#include "common/profile-file/intake.h"
#include "common/profile-file/layouts.h"

/* Largest file, in bytes: 1 GiB. One of the largest programs has a few MiB. */
#define MOST_BYTES ((size_t)1 << 30)

struct reading {
	/* Place and bytes of the file. Weak. */
	const char *path;
	const char *begin;
	/* Weak. */
	struct itp_workload_set *set;
	/* NULL before the section with layouts. Owned by this. */
	struct itp_told_layouts *layouts;
	/* Of the latest profile; NULL before the first. Owned by this. */
	struct itp_intake *intake;
};

/* Takes `problem`. */
static bool fail(const struct reading *reading, const char *at, char *problem, GError **error)
{
	itp_failure_set(error,
			"%s: a damaged saved profile: %s (at byte %td); save it anew, or fetch it "
			"once more",
			reading->path, problem, at - reading->begin);
	g_free(problem);
	return false;
}

/* ---- Frame ---- */

static bool check_digest(const struct reading *reading, size_t size, GError **error)
{
	GChecksum *checksum = g_checksum_new(DIGEST_KIND);
	const char *told = reading->begin + size - DIGEST_BYTES;
	guint8 digest[DIGEST_BYTES];
	gsize digest_bytes = sizeof(digest);
	bool is_right;

	g_checksum_update(checksum, (const guchar *)reading->begin, (gssize)(size - DIGEST_BYTES));
	g_checksum_get_digest(checksum, digest, &digest_bytes);
	g_checksum_free(checksum);
	is_right = memcmp(told, digest, sizeof(digest)) == 0;
	return is_right ||
	       fail(reading, told, g_strdup("its checksum does not fit what is in it"), error);
}

static bool check_version(const struct reading *reading, uint64_t version, GError **error)
{
	if (version == ITP_PROFILE_FILE_VERSION) {
		return true;
	}
	itp_failure_set(error,
			"%s: a profile in version %" G_GUINT64_FORMAT
			" of its format, and this program reads version %d; take a later program, "
			"or save the profile anew with this one",
			reading->path, version, ITP_PROFILE_FILE_VERSION);
	return false;
}

static bool check_size(const struct reading *reading, size_t size, uint64_t told, GError **error)
{
	if (size < told) {
		itp_failure_set(error,
				"%s: the file is truncated at byte %zu of %" G_GUINT64_FORMAT
				"; fetch it once more",
				reading->path, size, told);
		return false;
	}
	return (size == told && told >= HEADER_BYTES + DIGEST_BYTES) ||
	       fail(reading, reading->begin + SIZE_OFFSET,
		    g_strdup_printf("it is said to have %" G_GUINT64_FORMAT " bytes, and has %zu",
				    told, size),
		    error);
}

/* *ret_content is all between the header and the digest. */
static bool check_frame(const struct reading *reading, size_t size, struct itp_bytes *ret_content,
			GError **error)
{
	struct itp_bytes header = { reading->begin, reading->begin + size };
	uint64_t version;
	uint64_t told;

	header.at += MIN(size, ITP_PROFILE_FILE_MAGIC_BYTES);
	if (!itp_bytes_get_fixed(&header, sizeof(uint32_t), &version)) {
		return fail(reading, header.at, g_strdup("it ends amid its header"), error);
	}
	if (!check_version(reading, version, error)) {
		return false;
	}
	if (!itp_bytes_get_fixed(&header, sizeof(uint64_t), &told)) {
		return fail(reading, header.at, g_strdup("it ends amid its header"), error);
	}
	if (!check_size(reading, size, told, error) || !check_digest(reading, size, error)) {
		return false;
	}
	*ret_content = (struct itp_bytes){ header.at, header.end - DIGEST_BYTES };
	return true;
}

/* ---- Sections ---- */

static bool read_layouts(struct reading *reading, struct itp_bytes *section, GError **error)
{
	char *problem = NULL;

	if (reading->layouts) {
		problem = g_strdup("it has two sections of layouts");
	} else {
		reading->layouts = itp_told_layouts_new(section, &problem);
	}
	return !problem || fail(reading, section->at, problem, error);
}

static bool read_facts(struct itp_bytes *section, struct itp_set_workload *workload)
{
	const char *name;
	const char *text;

	while (itp_bytes_left(section) > 0) {
		if (!itp_bytes_get_text(section, &name) || !itp_bytes_get_text(section, &text)) {
			return false;
		}
		itp_set_workload_add_fact(workload, name, text);
	}
	return true;
}

/* NULL for an empty text. */
static const char *if_any(const char *text)
{
	return text[0] ? text : NULL;
}

static void note_path(const struct reading *reading, struct itp_set_workload *workload)
{
	char *path = realpath(reading->path, NULL);

	g_ptr_array_add(workload->file_paths, g_strdup(path ? path : reading->path));
	free(path);
}

static bool begin_profile(struct reading *reading, struct itp_bytes *section, GError **error)
{
	struct itp_set_workload *workload;
	struct itp_clock clock;
	const char *name;
	const char *input;
	const char *architecture;
	uint64_t has_epoch;

	if (!itp_bytes_get_text(section, &name) || !itp_bytes_get_text(section, &input) ||
	    !itp_bytes_get_text(section, &architecture) ||
	    !itp_bytes_get_unsigned(section, &has_epoch) || has_epoch > 1 ||
	    !itp_bytes_get_signed(section, &clock.offset_ns)) {
		return fail(reading, section->at, g_strdup("the begin of a profile cannot be read"),
			    error);
	}
	clock.has_epoch = has_epoch;
	workload = itp_workload_set_add(reading->set, name, &clock, if_any(architecture));
	workload->input_path = g_strdup(if_any(input));
	note_path(reading, workload);
	itp_intake_free(reading->intake);
	reading->intake = itp_intake_new(reading->set, workload);
	return read_facts(section, workload) ||
	       fail(reading, section->at, g_strdup("a fact of a profile cannot be read"), error);
}

static bool read_records(struct reading *reading, struct itp_bytes *section, GError **error)
{
	struct itp_record record;
	g_autoptr(GError) refusal = NULL;
	char *problem = NULL;

	if (!reading->layouts || !reading->intake) {
		problem = g_strdup("records come before their layouts and their profile");
	}
	while (!problem && itp_bytes_left(section) > 0) {
		if (itp_told_layouts_read(reading->layouts, section, &record, &problem) &&
		    !itp_intake_take(reading->intake, &record, &refusal)) {
			problem = g_strdup(refusal->message);
		}
	}
	return !problem || fail(reading, section->at, problem, error);
}

/* Sections of later programs are left out. */
static bool read_section(struct reading *reading, const char *kind, struct itp_bytes *section,
			 GError **error)
{
	static const struct {
		const char *kind;
		bool (*read)(struct reading *reading, struct itp_bytes *section, GError **error);
	} kinds[] = {
		{ SECTION_LAYOUTS, read_layouts },
		{ SECTION_PROFILE, begin_profile },
		{ SECTION_RECORDS, read_records },
	};

	for (size_t i = 0; i < G_N_ELEMENTS(kinds); i++) {
		if (memcmp(kinds[i].kind, kind, KIND_BYTES) == 0) {
			return kinds[i].read(reading, section, error);
		}
	}
	return true;
}

static bool read_sections(struct reading *reading, struct itp_bytes *content, GError **error)
{
	bool done = true;

	while (done && itp_bytes_left(content) > 0) {
		const char *kind = content->at;
		struct itp_bytes section;
		uint64_t size;

		content->at += MIN(KIND_BYTES, itp_bytes_left(content));
		if (!itp_bytes_get_fixed(content, sizeof(uint64_t), &size) ||
		    size > itp_bytes_left(content)) {
			return fail(reading, kind, g_strdup("a section ends behind the file"),
				    error);
		}
		section = (struct itp_bytes){ content->at, content->at + size };
		content->at += size;
		done = read_section(reading, kind, &section, error);
	}
	return done;
}

bool itp_profile_file_parse(const char *bytes, size_t size, const char *path,
			    struct itp_workload_set *set, GError **error)
{
	struct reading reading = { .path = path, .begin = bytes, .set = set };
	struct itp_bytes content;
	const bool done = check_frame(&reading, size, &content, error) &&
			  read_sections(&reading, &content, error);

	itp_intake_free(reading.intake);
	itp_told_layouts_free(reading.layouts);
	return done;
}

/* ---- Files ---- */

bool itp_profile_file_probe(const char *path)
{
	const int file = itp_input_file_open(path);
	char magic[ITP_PROFILE_FILE_MAGIC_BYTES];
	bool is_one = false;

	if (file >= 0) {
		is_one = TEMP_FAILURE_RETRY(pread(file, magic, sizeof(magic), 0)) ==
				 (ssize_t)sizeof(magic) &&
			 memcmp(magic, ITP_PROFILE_FILE_MAGIC, sizeof(magic)) == 0;
		close(file);
	}
	return is_one;
}

bool itp_profile_file_read(const char *path, struct itp_workload_set *set, GError **error)
{
	size_t size;
	g_autofree char *bytes =
		itp_input_file_text(path, "a saved profile", MOST_BYTES, &size, error);

	return bytes && itp_profile_file_parse(bytes, size, path, set, error);
}
