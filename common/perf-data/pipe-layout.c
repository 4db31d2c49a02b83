/* SPDX-License-Identifier: MIT */
/*
 * See pipe-layout.h. A build-id record equals an entry of the build-id section byte by byte.
 */
#define _GNU_SOURCE /* TEMP_FAILURE_RETRY() */

#include "common/perf-data/pipe-layout.h"

#include "common/base/temp-file.h"
#include "common/perf-data/record-types.h"

#include <errno.h>
#include <stddef.h>
#include <unistd.h>

#define MAX_BUILD_ID_BYTES (64u * 1024 * 1024)
#define SPOOL_BYTES (256u * 1024)

/* ---- The layout ---- */

/* The attribute, then its ids. */
static int add_attr(struct itp_perf_file *file, const struct itp_perf_record *record)
{
	struct itp_bytes ids = record->body;
	struct itp_bytes attr = record->body;
	uint32_t size = 0;

	if (ids.size >= PERF_ATTR_SIZE_VER0) {
		size = itp_load_u32(ids.data + offsetof(struct perf_event_attr, size));
	}
	attr.size = size == 0 ? PERF_ATTR_SIZE_VER0 : size;
	if (!itp_bytes_take(&ids, attr.size)) {
		return ITP_ERROR_CORRUPT;
	}
	return itp_perf_file_add_attr(file, &attr, &ids);
}

static void add_feature(struct itp_pipe_layout *layout, const struct itp_perf_record *record)
{
	struct itp_bytes body = record->body;
	uint64_t feature;

	if (itp_bytes_u64(&body, &feature) && feature < ITP_PIPE_FEATURES) {
		layout->features[feature] = body;
	}
}

/* The formats of tracepoints follow their record. */
static void add_tracing_data(struct itp_pipe_layout *layout, const struct itp_perf_record *record,
			     const uint8_t *end)
{
	const uint8_t *data = record->body.data + record->body.size;

	layout->features[ITP_FEATURE_TRACING_DATA] =
		(struct itp_bytes){ .data = data, .size = (size_t)(end - data) };
}

static int add_build_id(struct itp_pipe_layout *layout, const struct itp_perf_record *record)
{
	if (layout->build_ids->len > MAX_BUILD_ID_BYTES) {
		return ITP_ERROR_LIMIT;
	}
	g_byte_array_append(layout->build_ids, record->body.data - ITP_PERF_RECORD_HEADER_BYTES,
			    (guint)record->body.size + ITP_PERF_RECORD_HEADER_BYTES);
	return 0;
}

static int collect(struct itp_perf_file *file, struct itp_pipe_layout *layout,
		   const struct itp_perf_record *record, const uint8_t *end)
{
	switch (record->type) {
	case ITP_RECORD_ATTR:
		return add_attr(file, record);
	case ITP_RECORD_TRACING_DATA:
		add_tracing_data(layout, record, end);
		return 0;
	case ITP_RECORD_BUILD_ID:
		return add_build_id(layout, record);
	case ITP_RECORD_FEATURE:
		add_feature(layout, record);
		return 0;
	default:
		return 0;
	}
}

int itp_pipe_layout_read(struct itp_perf_file *file)
{
	struct itp_pipe_layout *layout = g_new0(struct itp_pipe_layout, 1);
	uint64_t offset = file->data_begin;
	struct itp_perf_record record;
	uint64_t next;
	int error = 0;
	int got = 0;

	layout->build_ids = g_byte_array_new();
	file->pipe = layout;
	while (error == 0 && (got = itp_perf_file_record(file, offset, &record, &next)) == 1) {
		error = collect(file, layout, &record, file->image.data + next);
		offset = next;
		/* The description of a growing file must stay. */
		if (!file->growing) {
			itp_perf_file_forget(file, offset);
		}
	}
	itp_perf_file_rewind(file);
	if (error == 0 && file->attrs->len == 0) {
		error = got == 0 ? ITP_ERROR_TRUNCATED : got;
	}
	layout->features[ITP_FEATURE_BUILD_ID] =
		(struct itp_bytes){ .data = layout->build_ids->data,
				    .size = layout->build_ids->len };
	return error;
}

void itp_pipe_layout_free(struct itp_pipe_layout *layout)
{
	if (layout) {
		g_byte_array_free(layout->build_ids, TRUE);
		g_free(layout);
	}
}

static bool write_data(int to, const uint8_t *data, size_t size)
{
	while (size > 0) {
		ssize_t written = TEMP_FAILURE_RETRY(write(to, data, size));

		if (written < 0) {
			return false;
		}
		data += written;
		size -= (size_t)written;
	}
	return true;
}

static bool copy_all(int from, int to)
{
	g_autofree uint8_t *buffer = g_malloc(SPOOL_BYTES);
	ssize_t got;

	/* An interrupt ends the recording at the other end, which then writes its last records. */
	while ((got = TEMP_FAILURE_RETRY(read(from, buffer, SPOOL_BYTES))) > 0) {
		if (!write_data(to, buffer, (size_t)got)) {
			return false;
		}
	}
	return got == 0;
}

int itp_pipe_spool(int from, int *ret_descriptor)
{
	int to = itp_temp_file_open(g_get_tmp_dir());

	if (to < 0) {
		return ITP_ERROR_IO;
	}
	if (!copy_all(from, to)) {
		int saved_errno = errno;

		close(to);
		errno = saved_errno;
		return ITP_ERROR_IO;
	}
	*ret_descriptor = to;
	return 0;
}
