/* SPDX-License-Identifier: MIT */
/*
 * The number of parts is told by the first record of a directory's recording, the table of the
 * events' ids, with the buffer of each.
 */
#include "common/perf-data/directory.h"

#include "common/base/hash.h"
#include "common/base/input-file.h"
#include "common/perf-data/feature.h"
#include "common/perf-data/record-types.h"
#include "common/perf-data/records.h"
#include "common/symbol/kernel-image.h"

#include <errno.h>
#include <fcntl.h>
#include <glib.h>
#include <unistd.h>

#define DATA "data"
#define PART_PREFIX DATA "."

/* Most parts: buffers are of CPUs, and the kernel supports no more. */
#define MAX_PARTS 8192

/* A page. A record with a time has 16 bytes at least, so hundreds of times would have to be
 * equal. */
#define BEGINNING_BYTES 4096

/* Id, number of the buffer, CPU and thread, of 64 bits each. */
#define ID_ENTRY_BYTES 32

/* Values of the feature: with parts or without. */
#define FORMAT_PARTS 1

/* The named file in the directory `path`, NULL if missing. Owned by the caller. */
static char *find_named_file(const char *path, const char *name)
{
	g_autofree char *file = g_build_filename(path, name, NULL);

	return g_file_test(file, G_FILE_TEST_EXISTS) ? g_steal_pointer(&file) : NULL;
}

char *itp_perf_directory_data(const char *path)
{
	char *data = find_named_file(path, DATA);

	return data ? data : g_strdup(path);
}

char *itp_perf_directory_kcore(const char *path)
{
	return find_named_file(path, ITP_KCORE_IN_RECORDING);
}

static char *part_name(size_t number)
{
	return g_strdup_printf(PART_PREFIX "%zu", number);
}

/* Number of the part `name`, plus one; 0 for any other file. */
static size_t part_end(const char *name)
{
	g_autofree char *same = NULL;
	guint64 number;

	if (!g_str_has_prefix(name, PART_PREFIX)) {
		return 0;
	}
	number = g_ascii_strtoull(name + strlen(PART_PREFIX), NULL, 10);
	same = part_name((size_t)number);
	return number < SIZE_MAX && g_str_equal(name, same) ? (size_t)number + 1 : 0;
}

/* Number of parts in the directory if none is missing; 0 unless `path` is a directory. */
static size_t parts_in(const char *path)
{
	GDir *directory = g_dir_open(path, 0, NULL);
	const char *name;
	size_t count = 0;

	if (!directory) {
		return 0;
	}
	while ((name = g_dir_read_name(directory)) != NULL) {
		count = MAX(count, part_end(name));
	}
	g_dir_close(directory);
	return count;
}

/* Largest number of a buffer in the table, plus one; the table begins with its length. */
static size_t buffers_of(const struct itp_perf_record *record)
{
	struct itp_bytes rest = record->body;
	const uint8_t *entry = itp_bytes_take(&rest, sizeof(uint64_t));
	size_t count = 0;

	while (entry && (entry = itp_bytes_take(&rest, ID_ENTRY_BYTES)) != NULL) {
		uint64_t number = itp_load_u64(entry + sizeof(uint64_t));

		if (number < MAX_PARTS) {
			count = MAX(count, (size_t)number + 1);
		}
	}
	return count;
}

/* Number of buffers; 0 when the recording does not tell. */
static size_t count_buffers(struct itp_perf_file *file)
{
	struct itp_perf_records records;
	struct itp_perf_record record = { .type = 0 };
	size_t count = 0;

	itp_perf_records_init(&records, file);
	while (record.type != ITP_RECORD_FINISHED_INIT &&
	       itp_perf_records_next(&records, &record) == 1) {
		if (record.type == ITP_RECORD_ID_INDEX) {
			count = MAX(count, buffers_of(&record));
		}
	}
	itp_perf_records_release(&records);
	itp_perf_file_rewind(file);
	return count;
}

/* True when the recording tells its format, with parts or without; an unfinished recording does
 * not. */
static bool tells_format(const struct itp_perf_file *file, uint64_t *ret_format)
{
	struct itp_bytes bytes = itp_perf_feature(file, ITP_FEATURE_DIRECTORY_FORMAT);

	return itp_bytes_u64(&bytes, ret_format);
}

/* Number of parts needed, with `found` parts present. */
static size_t parts_wanted(struct itp_perf_file *file, size_t found)
{
	uint64_t format = FORMAT_PARTS;
	bool is_told = tells_format(file, &format);
	size_t wanted = 0;

	if (format == FORMAT_PARTS && (is_told || found > 0)) {
		wanted = count_buffers(file);
		wanted = wanted > 0 ? wanted : MAX(found, 1);
	}
	return wanted;
}

/* A descriptor of the part, which must be in the directory itself. */
static int open_part(const char *path, const char *name, int *ret_descriptor)
{
	struct stat status;
	int found = itp_input_file_find(path, name, O_NOFOLLOW, &status);

	if (found < 0) {
		return errno == ENOENT ? ITP_ERROR_PART_MISSING : ITP_ERROR_IO;
	}
	if (!S_ISREG(status.st_mode)) {
		close(found);
		return ITP_ERROR_PART_NOT_REGULAR;
	}
	*ret_descriptor = itp_input_file_reopen(found);
	return *ret_descriptor < 0 ? ITP_ERROR_IO : 0;
}

/* Requires perf's own file, already open, to be in the directory like the parts. */
static int check_data(const char *path)
{
	int descriptor;
	int error = open_part(path, DATA, &descriptor);

	if (error == 0) {
		close(descriptor);
	}
	return error;
}

static void part_free(gpointer part)
{
	itp_perf_file_release(part);
	g_free(part);
}

static int add_file_part(struct itp_perf_file *file, const char *path, const char *name,
			 size_t count)
{
	struct itp_perf_file *part;
	int descriptor;
	int error = open_part(path, name, &descriptor);

	if (error != 0) {
		return error;
	}
	part = g_new0(struct itp_perf_file, 1);
	error = itp_perf_file_init_part(part, file, descriptor, count);
	if (error != 0) {
		part_free(part);
		return error;
	}
	part->part_name = g_strdup(name);
	g_ptr_array_add(file->parts, part);
	return 0;
}

/* The first bytes of a part. Two parts with contents never begin alike, as their records have
 * times, and the ids of their buffers. */
static GBytes *beginning_of(const struct itp_perf_file *part)
{
	return g_bytes_new_static(part->image.data, MIN(part->image.size, BEGINNING_BYTES));
}

static guint hash_of(gconstpointer beginning)
{
	gsize bytes;
	const void *data = g_bytes_get_data((GBytes *)beginning, &bytes);

	return itp_hash_bytes(data, bytes);
}

/* Finds a part that is present twice, and would count all its stacks twice. */
static int check_distinct(const struct itp_perf_file *file, char **ret_part)
{
	g_autoptr(GHashTable) beginnings =
		g_hash_table_new_full(hash_of, g_bytes_equal, (GDestroyNotify)g_bytes_unref, NULL);

	for (guint i = 0; file->parts && i < file->parts->len; i++) {
		const struct itp_perf_file *part = g_ptr_array_index(file->parts, i);

		if (part->image.size > 0 && !g_hash_table_add(beginnings, beginning_of(part))) {
			*ret_part = g_strdup(part->part_name);
			return ITP_ERROR_PART_TWICE;
		}
	}
	return 0;
}

static int add_parts(struct itp_perf_file *file, const char *path, size_t found, char **ret_part)
{
	const size_t wanted = parts_wanted(file, found);
	int error = 0;

	if (found > wanted) {
		*ret_part = part_name(found - 1);
		return ITP_ERROR_PART_EXTRA;
	}
	if (wanted > MAX_PARTS) {
		return ITP_ERROR_LIMIT;
	}
	if (wanted > 0) {
		error = check_data(path);
		*ret_part = error != 0 ? g_strdup(DATA) : NULL;
		file->parts = g_ptr_array_new_with_free_func(part_free);
	}
	for (size_t i = 0; error == 0 && i < wanted; i++) {
		g_autofree char *name = part_name(i);

		error = add_file_part(file, path, name, wanted);
		if (error != 0) {
			*ret_part = g_steal_pointer(&name);
		}
	}
	return error != 0 ? error : check_distinct(file, ret_part);
}

int itp_perf_directory_open(struct itp_perf_file *file, const char *path, char **ret_part)
{
	g_autofree char *data = itp_perf_directory_data(path);
	uint64_t format;
	int error = itp_perf_file_init(file, data);

	*ret_part = NULL;
	if (error != 0) {
		return error;
	}
	itp_perf_features_check(file);
	if (!g_str_equal(data, path)) {
		error = add_parts(file, path, parts_in(path), ret_part);
	} else if (tells_format(file, &format) && format == FORMAT_PARTS) {
		error = ITP_ERROR_PART;
	}
	if (error != 0) {
		int saved_errno = errno;

		itp_perf_file_release(file);
		errno = saved_errno;
	}
	return error;
}
