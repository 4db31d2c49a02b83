/* SPDX-License-Identifier: MIT */
/*
 * See speeds.h. A table of features lies right behind the records; another entry makes it longer,
 * and moves everything behind it. The feature is the last with room in the header, and its entry
 * the last of the table.
 */
#include "common/perf-data/speeds.h"

#include <errno.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <sys/utsname.h>
#include <unistd.h>

#include "common/perf-data/feature.h"

#define HEADER_BYTES 104
#define HEADER_SIZE_PLACE 8
#define DATA_PLACE 40
#define FEATURES_PLACE 72
#define FEATURE_WORDS 4
/* Most bytes of all sections together: traces' formats and build ids are some hundred KB. */
#define SECTIONS_MOST (UINT64_C(1) << 30)
/* Factor over the middle measurement by which one was interrupted: no machine changes its speed so
 * much. */
#define INTERRUPTED 2

struct section {
	uint64_t offset;
	uint64_t size;
};

/* Feature sections of an open file: their bits and contents. */
struct features {
	int file;
	uint64_t bits[FEATURE_WORDS];
	/* Place of the table; the table and everything behind it. Owned by this. */
	uint64_t place;
	GByteArray *bytes;
};

/* ---- Reading ---- */

struct itp_perf_speeds itp_perf_speeds_of(const struct itp_perf_file *file)
{
	struct itp_perf_speeds speeds = { .rest = itp_perf_feature(file, ITP_FEATURE_SPEEDS) };

	if (!itp_bytes_u32(&speeds.rest, &speeds.meter) ||
	    !itp_bytes_u32(&speeds.rest, &speeds.left)) {
		speeds.left = 0;
	}
	speeds.left = MIN(speeds.left, ITP_SPEEDS_MOST);
	return speeds;
}

bool itp_perf_speeds_next(struct itp_perf_speeds *speeds, struct itp_speed *ret_speed)
{
	uint64_t time_ns;

	if (speeds->left == 0 || !itp_bytes_u64(&speeds->rest, &time_ns) ||
	    !itp_bytes_u64(&speeds->rest, &ret_speed->computed_ns)) {
		return false;
	}
	ret_speed->time_ns = (int64_t)time_ns;
	speeds->left--;
	return true;
}

/* ---- Adding ---- */

uint32_t itp_perf_speeds_meter(const char *name)
{
	g_autofree char *text = NULL;
	struct utsname kernel;
	uint32_t meter = 1;

	uname(&kernel);
	text = g_strdup_printf("%s %s %s %s", name, PACKAGE_VERSION, __VERSION__, kernel.release);
	for (const char *at = text; *at != '\0'; at++) {
		meter = meter * 31 + (uint8_t)*at;
	}
	return meter;
}

static bool read_at(int file, void *bytes, size_t size, uint64_t place)
{
	size_t done = 0;

	while (done < size) {
		ssize_t count =
			pread(file, (uint8_t *)bytes + done, size - done, (off_t)(place + done));

		if (count < 0 && errno != EINTR) {
			return false;
		}
		if (count == 0) {
			errno = 0;
			return false;
		}
		done += count > 0 ? (size_t)count : 0;
	}
	return true;
}

static bool write_at(int file, const void *bytes, size_t size, uint64_t place)
{
	size_t done = 0;

	while (done < size) {
		ssize_t count = pwrite(file, (const uint8_t *)bytes + done, size - done,
				       (off_t)(place + done));

		if (count < 0 && errno != EINTR) {
			return false;
		}
		done += count > 0 ? (size_t)count : 0;
	}
	return true;
}

static unsigned int count_bits(const uint64_t *bits)
{
	unsigned int count = 0;

	for (size_t i = 0; i < FEATURE_WORDS; i++) {
		count += (unsigned int)__builtin_popcountll(bits[i]);
	}
	return count;
}

static struct section *sections_of(const struct features *features)
{
	return (struct section *)(void *)features->bytes->data;
}

/* True when all sections lie behind the table, as in perf's files. */
static bool is_usual(const struct features *features)
{
	unsigned int count = count_bits(features->bits);
	const struct section *sections = sections_of(features);
	uint64_t end = features->place + features->bytes->len;

	if (features->bytes->len < count * sizeof(*sections)) {
		return false;
	}
	for (unsigned int i = 0; i < count; i++) {
		if (sections[i].offset < features->place + count * sizeof(*sections) ||
		    sections[i].offset > end || sections[i].size > end - sections[i].offset) {
			return false;
		}
	}
	return true;
}

static bool read_features(struct features *features)
{
	uint8_t header[HEADER_BYTES];
	struct section data;
	struct stat status;

	if (!read_at(features->file, header, sizeof(header), 0) ||
	    !itp_perf_file_has_magic(header) ||
	    itp_load_u64(header + HEADER_SIZE_PLACE) != HEADER_BYTES ||
	    fstat(features->file, &status) != 0) {
		return false;
	}
	memcpy(&data, header + DATA_PLACE, sizeof(data));
	memcpy(features->bits, header + FEATURES_PLACE, sizeof(features->bits));
	features->place = data.offset + data.size;
	if (data.size == 0 || features->place > (uint64_t)status.st_size ||
	    (uint64_t)status.st_size - features->place > SECTIONS_MOST) {
		return false;
	}
	g_byte_array_set_size(features->bytes, (guint)((uint64_t)status.st_size - features->place));
	return read_at(features->file, features->bytes->data, features->bytes->len,
		       features->place) &&
	       is_usual(features);
}

/* Adds an entry, of `size` bytes at the end. */
static void lengthen_table(struct features *features, size_t size)
{
	const unsigned int count = count_bits(features->bits);
	const struct section last = {
		.offset = features->place + features->bytes->len + sizeof(last), .size = size
	};
	g_autofree uint8_t *behind = NULL;
	const size_t table_bytes = count * sizeof(last);
	const guint behind_bytes = (guint)(features->bytes->len - table_bytes);

	for (unsigned int i = 0; i < count; i++) {
		sections_of(features)[i].offset += sizeof(last);
	}
	behind = g_memdup2(features->bytes->data + table_bytes, behind_bytes);
	g_byte_array_set_size(features->bytes, (guint)table_bytes);
	g_byte_array_append(features->bytes, (const uint8_t *)&last, sizeof(last));
	g_byte_array_append(features->bytes, behind, behind_bytes);
	features->bits[ITP_FEATURE_SPEEDS / 64] |= UINT64_C(1) << ITP_FEATURE_SPEEDS % 64;
}

static bool has_speeds(const struct features *features)
{
	return features->bits[ITP_FEATURE_SPEEDS / 64] >> ITP_FEATURE_SPEEDS % 64 & 1;
}

static GByteArray *pack(uint32_t meter, const struct itp_speed *speeds, size_t count)
{
	const uint32_t number = (uint32_t)MIN(count, ITP_SPEEDS_MOST);
	GByteArray *bytes = g_byte_array_new();

	g_byte_array_append(bytes, (const uint8_t *)&meter, sizeof(meter));
	g_byte_array_append(bytes, (const uint8_t *)&number, sizeof(number));
	g_byte_array_append(bytes, (const uint8_t *)speeds, (guint)(number * sizeof(*speeds)));
	return bytes;
}

static int append_speeds(struct features *features, const GByteArray *content)
{
	errno = 0;
	if (!read_features(features) || has_speeds(features)) {
		return errno != 0 ? ITP_ERROR_IO : ITP_ERROR_CORRUPT;
	}
	lengthen_table(features, content->len);
	g_byte_array_append(features->bytes, content->data, content->len);
	return write_at(features->file, features->bytes->data, features->bytes->len,
			features->place) &&
			       write_at(features->file, features->bits, sizeof(features->bits),
					FEATURES_PLACE) ?
		       0 :
		       ITP_ERROR_IO;
}

static int compare_speeds(const void *a, const void *b)
{
	const struct itp_speed *left = a;
	const struct itp_speed *right = b;

	return (left->computed_ns > right->computed_ns) - (left->computed_ns < right->computed_ns);
}

/* Measurements that nothing has interrupted; free with g_array_unref(). */
static GArray *uninterrupted(const struct itp_speed *speeds, size_t count)
{
	GArray *sorted = g_array_sized_new(FALSE, FALSE, sizeof(*speeds), (guint)count);
	GArray *kept = g_array_new(FALSE, FALSE, sizeof(*speeds));

	g_array_append_vals(sorted, speeds, (guint)count);
	g_array_sort(sorted, compare_speeds);
	for (size_t i = 0; i < count; i++) {
		if (speeds[i].computed_ns <=
		    INTERRUPTED * g_array_index(sorted, struct itp_speed, count / 2).computed_ns) {
			g_array_append_vals(kept, &speeds[i], 1);
		}
	}
	g_array_unref(sorted);
	return kept;
}

int itp_perf_speeds_append(const char *path, uint32_t meter, const struct itp_speed *speeds,
			   size_t count)
{
	struct features features = { .file = open(path, O_RDWR | O_CLOEXEC) };
	g_autoptr(GArray) kept = uninterrupted(speeds, MIN(count, ITP_SPEEDS_MOST));
	g_autoptr(GByteArray) content =
		pack(meter, (const struct itp_speed *)(void *)kept->data, kept->len);
	int error;

	if (features.file < 0) {
		return ITP_ERROR_IO;
	}
	features.bytes = g_byte_array_new();
	error = append_speeds(&features, content);
	g_byte_array_unref(features.bytes);
	close(features.file);
	return error;
}
