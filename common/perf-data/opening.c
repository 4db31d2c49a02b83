/* SPDX-License-Identifier: MIT */
/*
 * Header and attribute section.
 *
 * A recording that was killed has a header without a data size; its records then go on to the end
 * of the file. A file that ends before its data is cut there. Both are read and reported as
 * truncated.
 */
#include "common/perf-data/file.h"

#include "common/base/hash.h"
#include "common/base/input-file.h"
#include "common/perf-data/growing.h"
#include "common/perf-data/pipe-layout.h"
#include "common/perf-data/record-types.h"

#include <errno.h>
#include <sys/stat.h>
#include <unistd.h>

#define MAGIC "PERFILE2"
#define MAGIC_SWAPPED "2ELIFREP"
#define MAGIC_OLD "PERFFILE"
/* Size of the header in the pipe layout. */
#define PIPE_HEADER_BYTES 16
/* Everything before the features' bits, and with them. */
#define OLD_HEADER_BYTES 72
#define HEADER_BYTES 104

/* Memory is given back in steps of FORGET_BYTES, in smaller steps when many files are read at
 * once. */
#define FORGET_BYTES (UINT64_C(2) * 1024 * 1024)
#define LEAST_FORGET_BYTES (UINT64_C(256) * 1024)

struct section {
	uint64_t offset;
	uint64_t size;
};

bool itp_perf_file_has_magic(const uint8_t *bytes)
{
	return memcmp(bytes, MAGIC, ITP_PERF_MAGIC_BYTES) == 0 ||
	       memcmp(bytes, MAGIC_SWAPPED, ITP_PERF_MAGIC_BYTES) == 0;
}

/* Contents of the section. */
static int contents(const struct itp_perf_file *file, const struct section *section,
		    struct itp_bytes *ret_bytes)
{
	struct itp_bytes bytes = file->image;

	if (!itp_bytes_take(&bytes, section->offset) || section->size > bytes.size) {
		return ITP_ERROR_CORRUPT;
	}
	bytes.size = section->size;
	*ret_bytes = bytes;
	return 0;
}

static bool take_section(struct itp_bytes *bytes, struct section *ret_section)
{
	return itp_bytes_u64(bytes, &ret_section->offset) &&
	       itp_bytes_u64(bytes, &ret_section->size);
}

/* Error of a file that could not be opened, by errno. */
static int open_error(void)
{
	return errno == EISDIR ? ITP_ERROR_IS_DIRECTORY :
	       errno == EINVAL ? ITP_ERROR_NOT_PERF_DATA :
				 ITP_ERROR_IO;
}

static int open_map(struct itp_perf_file *file, int fd)
{
	int error = itp_file_map_init(&file->map, fd);

	file->image = file->map.bytes;
	return error;
}

static bool is_empty(int fd)
{
	struct stat status;

	return fstat(fd, &status) == 0 && status.st_size == 0;
}

static int open_recording(struct itp_perf_file *file, const char *path)
{
	int fd = itp_input_file_open(path);

	if (fd < 0) {
		return open_error();
	}
	if (is_empty(fd)) {
		close(fd);
		return ITP_ERROR_EMPTY_FILE;
	}
	return open_map(file, fd);
}

/* An attribute and the section with its ids. */
static int add_attribute(struct itp_perf_file *file, const uint8_t *entry, size_t entry_size)
{
	const struct itp_bytes attr = { .data = entry,
					.size = entry_size - sizeof(struct section) };
	struct itp_bytes rest = { .data = entry + attr.size, .size = sizeof(struct section) };
	struct section section;
	struct itp_bytes ids;
	int error = take_section(&rest, &section) ? contents(file, &section, &ids) :
						    ITP_ERROR_CORRUPT;

	return error != 0 ? error : itp_perf_file_add_attr(file, &attr, &ids);
}

static int read_attrs(struct itp_perf_file *file, const struct section *section,
		      uint64_t entry_size)
{
	struct itp_bytes bytes;
	const uint8_t *entry;
	int error = contents(file, section, &bytes);

	if (error != 0) {
		return error == ITP_ERROR_CORRUPT &&
				       section->offset + section->size > file->image.size ?
			       ITP_ERROR_TRUNCATED :
			       error;
	}
	if (entry_size < PERF_ATTR_SIZE_VER0 + sizeof(struct section) || bytes.size < entry_size ||
	    bytes.size % entry_size != 0) {
		return ITP_ERROR_CORRUPT;
	}
	while ((entry = itp_bytes_take(&bytes, entry_size)) != NULL) {
		error = add_attribute(file, entry, (size_t)entry_size);
		if (error != 0) {
			return error;
		}
	}
	return 0;
}

/* A record of a known type lies at the beginning of the data. */
static bool begins_with_record(const struct itp_perf_file *file)
{
	struct itp_perf_record record;
	uint64_t next;

	return itp_perf_file_record(file, file->data_begin, &record, &next) == 1 &&
	       record.type > 0 && record.type < ITP_RECORD_TYPE_LIMIT;
}

static int set_data(struct itp_perf_file *file, const struct section *section)
{
	if (section->offset > file->image.size) {
		return ITP_ERROR_TRUNCATED;
	}
	file->data_begin = section->offset;
	file->data_end = section->offset + section->size;
	if (section->size > file->image.size - section->offset) {
		file->data_end = file->image.size;
		file->damage = ITP_ERROR_TRUNCATED;
	}
	if (section->size == 0) {
		file->data_end = file->image.size;
		if (begins_with_record(file)) {
			file->damage = ITP_ERROR_TRUNCATED;
		} else {
			file->data_end = file->data_begin;
		}
	}
	return 0;
}

/* The data of a pipe may go on, as a record can tell, but no record tells their end. */
static int read_pipe(struct itp_perf_file *file)
{
	file->data_begin = PIPE_HEADER_BYTES;
	file->data_end = file->image.size;
	return itp_pipe_layout_read(file);
}

/* Features are behind the data; before these have an end, in `early`. */
static void find_features(struct itp_perf_file *file, const struct section *early)
{
	struct itp_bytes bytes = file->image;
	uint64_t magic;
	uint64_t bits;

	file->features_begin = file->data_end;
	if (file->is_unfinished && itp_bytes_take(&bytes, early->offset) &&
	    itp_bytes_u64(&bytes, &magic) && magic == ITP_PERF_EARLY_MAGIC &&
	    itp_bytes_u64(&bytes, &bits)) {
		file->features[0] = bits;
		file->features_begin = file->image.size - bytes.size;
	}
}

static int read_header(struct itp_perf_file *file)
{
	struct itp_bytes bytes = file->image;
	const uint8_t *magic = itp_bytes_take(&bytes, ITP_PERF_MAGIC_BYTES);
	uint64_t header_size;
	uint64_t attr_size;
	struct section attrs;
	struct section data;
	struct section event_types;
	int error;

	if (!magic || !itp_perf_file_has_magic(magic)) {
		return magic && memcmp(magic, MAGIC_OLD, ITP_PERF_MAGIC_BYTES) == 0 ?
			       ITP_ERROR_OLD_PERF :
			       ITP_ERROR_NOT_PERF_DATA;
	}
	if (memcmp(magic, MAGIC, ITP_PERF_MAGIC_BYTES) != 0) {
		return ITP_ERROR_BIG_ENDIAN;
	}
	if (!itp_bytes_u64(&bytes, &header_size)) {
		return ITP_ERROR_TRUNCATED;
	}
	if (header_size == PIPE_HEADER_BYTES) {
		return read_pipe(file);
	}
	if (header_size != OLD_HEADER_BYTES && header_size != HEADER_BYTES) {
		return ITP_ERROR_CORRUPT;
	}
	if (file->image.size < header_size || !itp_bytes_u64(&bytes, &attr_size) ||
	    !take_section(&bytes, &attrs) || !take_section(&bytes, &data) ||
	    !take_section(&bytes, &event_types)) {
		return ITP_ERROR_TRUNCATED;
	}
	for (size_t i = 0; header_size == HEADER_BYTES && i < G_N_ELEMENTS(file->features); i++) {
		itp_bytes_u64(&bytes, &file->features[i]);
	}
	file->is_unfinished = data.size == 0;
	error = set_data(file, &data);
	find_features(file, &event_types);
	return error != 0 ? error : read_attrs(file, &attrs, attr_size);
}

static int check_attrs(const struct itp_perf_file *file)
{
	uint64_t any = 0;
	uint64_t all = UINT64_MAX;

	for (guint i = 0; i < file->attrs->len; i++) {
		uint64_t sample_type = itp_perf_file_attr(file, i)->sample_type;

		any |= sample_type;
		all &= sample_type;
	}
	if (!(any & PERF_SAMPLE_CALLCHAIN)) {
		return ITP_ERROR_NO_CALLCHAINS;
	}
	if (!(all & PERF_SAMPLE_TIME)) {
		return ITP_ERROR_NO_TIME;
	}
	return all & PERF_SAMPLE_TID ? 0 : ITP_ERROR_NO_TID;
}

static void init(struct itp_perf_file *file)
{
	*file = (struct itp_perf_file){ .forget_bytes = FORGET_BYTES };
	file->attrs = g_array_new(FALSE, FALSE, sizeof(struct itp_perf_attr));
	file->attr_by_id = g_hash_table_new(itp_hash_number, NULL);
}

/* Goes on after opening the file, unless `error` is set. */
static int read_open(struct itp_perf_file *file, int error)
{
	if (error == 0) {
		error = read_header(file);
	}
	if (error == 0) {
		error = check_attrs(file);
	}
	error = itp_perf_file_check(file, error);
	if (error != 0) {
		int saved_errno = errno;

		itp_perf_file_release(file);
		errno = saved_errno;
	}
	return error;
}

int itp_perf_file_init(struct itp_perf_file *file, const char *path)
{
	init(file);
	return read_open(file, open_recording(file, path));
}

int itp_perf_file_init_part(struct itp_perf_file *part, const struct itp_perf_file *file,
			    int descriptor, size_t count)
{
	int error = 0;

	*part = (struct itp_perf_file){ .attrs = g_array_ref(file->attrs),
					.attr_by_id = g_hash_table_ref(file->attr_by_id),
					.forget_bytes =
						MAX(FORGET_BYTES / count, LEAST_FORGET_BYTES) };
	/* The buffer of an idle CPU leaves an empty file. */
	if (is_empty(descriptor)) {
		close(descriptor);
	} else {
		error = open_map(part, descriptor);
	}
	part->data_end = part->image.size;
	if (error != 0) {
		itp_perf_file_release(part);
	}
	return error;
}

int itp_perf_file_init_growing(struct itp_perf_file *file, int from)
{
	int error;

	init(file);
	error = itp_growing_init(file, from);
	error = read_open(file, error == 0 ? itp_growing_read_head(file) : error);
	if (error == 0) {
		/* The recording's description stays in memory. */
		file->released = (file->data_end / FORGET_BYTES + 1) * FORGET_BYTES;
	}
	return error;
}

void itp_perf_file_release(struct itp_perf_file *file)
{
	itp_file_map_release(&file->map);
	g_clear_pointer(&file->parts, g_ptr_array_unref);
	itp_growing_free(file->growing);
	itp_pipe_layout_free(file->pipe);
	g_free(file->part_name);
	g_clear_pointer(&file->attrs, g_array_unref);
	g_clear_pointer(&file->attr_by_id, g_hash_table_unref);
	*file = (struct itp_perf_file){ .released = 0 };
}
