/* SPDX-License-Identifier: MIT */
/*
 * Stepping from record to record, and the reason why the last reaches beyond the end of the data.
 *
 * If the header tells the length of the data, they have this length or were cut. In the layout of
 * pipes, in the parts of a directory, and after perf was killed, only the records can tell: data
 * that were cut end inside of their last record, while behind a record with a damaged size further
 * records follow, up to the end of the file.
 */
#include "common/perf-data/file.h"

#include "common/perf-data/record-types.h"

/* Longest record. */
#define MAX_RECORD_BYTES 65536

/* Padding of all records but compressed ones and features. */
#define ALIGNMENT 8

static bool may_be_cut(const struct itp_perf_file *file)
{
	return file->damage == ITP_ERROR_TRUNCATED || file->pipe || file->part_name;
}

static bool is_possible(uint32_t type, uint64_t size, uint32_t type_limit)
{
	return type != 0 && type < type_limit &&
	       (type >= ITP_RECORD_TOOL_FIRST || size % ALIGNMENT == 0);
}

/* True when the bytes are records, at least one, up to the end. */
static bool are_records(struct itp_bytes bytes)
{
	const uint8_t *header;

	do {
		uint64_t size;

		header = itp_bytes_take(&bytes, ITP_PERF_RECORD_HEADER_BYTES);
		if (!header) {
			return false;
		}
		size = itp_load_u16(header + 6);
		if (size < ITP_PERF_RECORD_HEADER_BYTES ||
		    !is_possible(itp_load_u32(header), size, ITP_RECORD_UNKNOWN_FIRST) ||
		    !itp_bytes_take(&bytes, size - ITP_PERF_RECORD_HEADER_BYTES)) {
			return false;
		}
	} while (bytes.size > 0);
	return true;
}

/* True when records of known types begin somewhere in the bytes, in steps of `step`, and go on to
 * the end. Other numbers would look so only if they told their exact distance from the end. */
static bool hold_records(struct itp_bytes bytes, size_t step)
{
	if (bytes.size > MAX_RECORD_BYTES) {
		itp_bytes_take(&bytes, (bytes.size - MAX_RECORD_BYTES) / ALIGNMENT * ALIGNMENT);
	}
	do {
		if (are_records(bytes)) {
			return true;
		}
	} while (itp_bytes_take(&bytes, step));
	return false;
}

/* True when the bytes behind the record, up to the end, show that more than the end is wrong.
 * Compressed data may hold other records unchanged, and show nothing. */
static bool is_contradicted(const struct itp_perf_file *file, const struct itp_perf_record *record)
{
	const uint8_t *end = file->image.data + file->data_end;
	const struct itp_bytes rest = { .data = record->body.data,
					.size = (size_t)(end - record->body.data) };

	switch (record->type) {
	case ITP_RECORD_COMPRESSED:
	case ITP_RECORD_COMPRESSED2:
		return false;
	case ITP_RECORD_FEATURE:
		return hold_records(rest, 1);
	default:
		return hold_records(rest, ALIGNMENT);
	}
}

/* Error of a record that, with its appended data, reaches beyond the end. */
static int broken_end(const struct itp_perf_file *file, const struct itp_perf_record *record)
{
	uint64_t size = record->body.size + ITP_PERF_RECORD_HEADER_BYTES;
	bool is_cut = (file->growing && !file->growing->at_end) ||
		      (may_be_cut(file) && is_possible(record->type, size, ITP_RECORD_TYPE_LIMIT) &&
		       !is_contradicted(file, record));

	return is_cut ? ITP_ERROR_TRUNCATED : ITP_ERROR_CORRUPT;
}

/* Skips data appended to the record. */
static bool take_appended(struct itp_bytes *bytes, const struct itp_perf_record *record,
			  uint64_t *ret_size)
{
	struct itp_bytes body = record->body;
	uint32_t size;

	*ret_size = 0;
	switch (record->type) {
	case ITP_RECORD_AUXTRACE:
		return itp_bytes_u64(&body, ret_size) && itp_bytes_take(bytes, *ret_size);
	case ITP_RECORD_TRACING_DATA:
		if (!itp_bytes_u32(&body, &size)) {
			return false;
		}
		*ret_size = size;
		return itp_bytes_take(bytes, size);
	default:
		return true;
	}
}

int itp_perf_file_record(const struct itp_perf_file *file, uint64_t offset,
			 struct itp_perf_record *ret_record, uint64_t *ret_next)
{
	struct itp_bytes bytes = { .data = file->image.data + offset,
				   .size = (size_t)(file->data_end - offset) };
	const uint8_t *header;
	uint64_t size;
	uint64_t appended;

	if (bytes.size == 0) {
		return 0;
	}
	header = itp_bytes_take(&bytes, ITP_PERF_RECORD_HEADER_BYTES);
	if (!header) {
		return may_be_cut(file) ? ITP_ERROR_TRUNCATED : ITP_ERROR_CORRUPT;
	}
	size = itp_load_u16(header + 6);
	*ret_record = (struct itp_perf_record){
		.type = itp_load_u32(header),
		.misc = itp_load_u16(header + 4),
		.offset = offset,
		.position = offset,
		.body = bytes,
	};
	if (size < ITP_PERF_RECORD_HEADER_BYTES) {
		return ITP_ERROR_CORRUPT;
	}
	ret_record->body.size = (size_t)size - ITP_PERF_RECORD_HEADER_BYTES;
	if (!itp_bytes_take(&bytes, ret_record->body.size)) {
		return broken_end(file, ret_record);
	}
	/* Trace data follow their record without being part of it. */
	if (!take_appended(&bytes, ret_record, &appended)) {
		return broken_end(file, ret_record);
	}
	*ret_next = offset + size + appended;
	return 1;
}
