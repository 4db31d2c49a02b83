/* SPDX-License-Identifier: MIT */
/*
 * Feature sections: a table of offsets and sizes, with an entry for each bit set in the header, in
 * the order of the bits.
 */
#include "common/perf-data/feature.h"

#include "common/perf-data/pipe-layout.h"

#define TABLE_ENTRY_BYTES 16

/* Half of the range, so that times added to it still fit. */
#define MAX_EPOCH_NS (UINT64_C(1) << 62)

#define FEATURE_COUNT 256

/* struct perf_record_header_build_id without its record header: pid, then the id in 24 bytes; the
 * 21st tells the size if a bit of the record's misc is set. */
#define BUILD_ID_FIELD_BYTES 24
#define BUILD_ID_BYTES 20
#define MISC_BUILD_ID_SIZE (1u << 15)

static bool is_set(const struct itp_perf_file *file, unsigned int feature)
{
	return file->features[feature / 64] >> (feature % 64) & 1;
}

/* False when the feature is missing or outside of the file. */
static bool locate(const struct itp_perf_file *file, unsigned int feature,
		   struct itp_bytes *ret_bytes)
{
	struct itp_bytes table = file->image;
	struct itp_bytes bytes = file->image;
	unsigned int position = 0;
	uint64_t offset;
	uint64_t size;

	for (unsigned int i = 0; i < feature; i++) {
		position += is_set(file, i);
	}
	if (!is_set(file, feature) || !itp_bytes_take(&table, file->features_begin) ||
	    !itp_bytes_take(&table, (uint64_t)position * TABLE_ENTRY_BYTES) ||
	    !itp_bytes_u64(&table, &offset) || !itp_bytes_u64(&table, &size) ||
	    !itp_bytes_take(&bytes, offset) || size > bytes.size) {
		return false;
	}
	bytes.size = (size_t)size;
	*ret_bytes = bytes;
	return true;
}

void itp_perf_features_check(struct itp_perf_file *file)
{
	struct itp_bytes bytes;

	for (unsigned int i = 0; i < FEATURE_COUNT; i++) {
		if (is_set(file, i) && file->damage == 0 && !locate(file, i, &bytes)) {
			file->damage = itp_perf_file_check(file, ITP_ERROR_TRUNCATED);
		}
	}
}

struct itp_bytes itp_perf_feature(const struct itp_perf_file *file, enum itp_feature feature)
{
	struct itp_bytes bytes = { .data = NULL };

	if (file->pipe && feature < ITP_PIPE_FEATURES) {
		bytes = file->pipe->features[feature];
	} else if (!file->pipe && (file->damage == 0 || file->features_begin < file->data_begin)) {
		locate(file, feature, &bytes);
	}
	return bytes;
}

/* A length, and a text of as many bytes, filled up with zeros. */
static char *take_string(struct itp_bytes *bytes)
{
	g_autofree char *text = NULL;
	uint32_t size;
	const uint8_t *data = NULL;

	if (itp_bytes_u32(bytes, &size)) {
		data = itp_bytes_take(bytes, size);
	}
	if (!data) {
		return NULL;
	}
	text = g_strndup((const char *)data, size);
	return g_utf8_make_valid(text, -1);
}

char *itp_perf_feature_string(const struct itp_perf_file *file, enum itp_feature feature)
{
	struct itp_bytes bytes = itp_perf_feature(file, feature);

	return take_string(&bytes);
}

char *itp_perf_feature_strings(const struct itp_perf_file *file, enum itp_feature feature)
{
	struct itp_bytes bytes = itp_perf_feature(file, feature);
	g_autoptr(GString) joined = g_string_new(NULL);
	uint32_t count;

	if (!itp_bytes_u32(&bytes, &count)) {
		return NULL;
	}
	for (uint32_t i = 0; i < count; i++) {
		g_autofree char *text = take_string(&bytes);

		if (!text) {
			return NULL;
		}
		g_string_append_printf(joined, i > 0 ? " %s" : "%s", text);
	}
	return g_string_free(g_steal_pointer(&joined), FALSE);
}

/* Each event: its attribute, the number of its ids, its name, its ids. */
char *itp_perf_feature_events(const struct itp_perf_file *file)
{
	struct itp_bytes bytes = itp_perf_feature(file, ITP_FEATURE_EVENTS);
	g_autoptr(GString) joined = g_string_new(NULL);
	uint32_t count;
	uint32_t attr_size;

	if (!itp_bytes_u32(&bytes, &count) || !itp_bytes_u32(&bytes, &attr_size)) {
		return NULL;
	}
	for (uint32_t i = 0; i < count; i++) {
		g_autofree char *name = NULL;
		uint32_t ids = 0;

		if (itp_bytes_take(&bytes, attr_size) && itp_bytes_u32(&bytes, &ids)) {
			name = take_string(&bytes);
		}
		if (!name || !itp_bytes_take(&bytes, (uint64_t)ids * sizeof(uint64_t))) {
			return NULL;
		}
		g_string_append_printf(joined, i > 0 ? " %s" : "%s", name);
	}
	return g_string_free(g_steal_pointer(&joined), FALSE);
}

bool itp_perf_feature_epoch(const struct itp_perf_file *file, int64_t *ret_offset_ns)
{
	struct itp_bytes bytes = itp_perf_feature(file, ITP_FEATURE_CLOCK_DATA);
	uint32_t version;
	uint32_t clock;
	uint64_t wall_ns;
	uint64_t clock_ns;

	if (!itp_bytes_u32(&bytes, &version) || version != 1 || !itp_bytes_u32(&bytes, &clock) ||
	    !itp_bytes_u64(&bytes, &wall_ns) || !itp_bytes_u64(&bytes, &clock_ns) ||
	    wall_ns > MAX_EPOCH_NS || clock_ns > wall_ns) {
		return false;
	}
	*ret_offset_ns = (int64_t)(wall_ns - clock_ns);
	return true;
}

bool itp_perf_build_id_next(struct itp_bytes *section, struct itp_perf_build_id *ret_build_id)
{
	const uint8_t *header = itp_bytes_take(section, ITP_PERF_RECORD_HEADER_BYTES);
	struct itp_bytes entry;
	uint16_t misc;
	uint32_t pid;

	if (!header || itp_load_u16(header + 6) < ITP_PERF_RECORD_HEADER_BYTES) {
		return false;
	}
	misc = itp_load_u16(header + 4);
	entry.size = (size_t)itp_load_u16(header + 6) - ITP_PERF_RECORD_HEADER_BYTES;
	entry.data = itp_bytes_take(section, entry.size);
	if (!entry.data || !itp_bytes_u32(&entry, &pid)) {
		return false;
	}
	ret_build_id->is_kernel = (misc & PERF_RECORD_MISC_CPUMODE_MASK) == PERF_RECORD_MISC_KERNEL;
	ret_build_id->bytes = itp_bytes_take(&entry, BUILD_ID_FIELD_BYTES);
	ret_build_id->path = itp_bytes_string(&entry);
	if (!ret_build_id->bytes || !ret_build_id->path) {
		return false;
	}
	ret_build_id->size = BUILD_ID_BYTES;
	if (misc & MISC_BUILD_ID_SIZE) {
		ret_build_id->size = MIN(ret_build_id->bytes[BUILD_ID_BYTES], BUILD_ID_BYTES);
	}
	return true;
}
