/* SPDX-License-Identifier: MIT */
/*
 * See growing.h. Far more addresses are reserved than needed; only addresses within the file are
 * ever used.
 */
#define _GNU_SOURCE /* fallocate(), TEMP_FAILURE_RETRY() */

#include "common/perf-data/growing.h"

#include "common/base/temp-file.h"
#include "common/perf-data/record-types.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <sys/mman.h>
#include <unistd.h>

#define RESERVED_BYTES (UINT64_C(1) << 42)
#define READ_BYTES (1024u * 1024)
/* The header of the pipe layout. */
#define HEADER_BYTES 16
/* Time for which data on their way are waited for: after ITP_ERROR_AGAIN, callers wait longer than
 * a pipe takes to fill. */
#define ON_ITS_WAY_MS 20

int itp_growing_init(struct itp_perf_file *file, int from)
{
	struct itp_growing *growing = g_new0(struct itp_growing, 1);
	void *memory;

	growing->from = from;
	growing->copy = itp_temp_file_open(g_get_tmp_dir());
	file->growing = growing;
	if (growing->copy < 0) {
		return ITP_ERROR_COPY;
	}
	memory =
		mmap(NULL, RESERVED_BYTES, PROT_READ, MAP_SHARED | MAP_NORESERVE, growing->copy, 0);
	if (memory == MAP_FAILED) {
		return ITP_ERROR_IO;
	}
	growing->memory = memory;
	file->image = (struct itp_bytes){ .data = memory };
	return 0;
}

void itp_growing_free(struct itp_growing *growing)
{
	if (growing) {
		if (growing->memory) {
			munmap(growing->memory, RESERVED_BYTES);
		}
		if (growing->copy >= 0) {
			close(growing->copy);
		}
		g_free(growing);
	}
}

static bool append_data(struct itp_perf_file *file, const uint8_t *data, size_t size)
{
	while (size > 0) {
		ssize_t written = TEMP_FAILURE_RETRY(write(file->growing->copy, data, size));

		if (written < 0) {
			return false;
		}
		data += written;
		size -= (size_t)written;
		file->image.size += (size_t)written;
	}
	file->data_end = file->image.size;
	return true;
}

static bool is_readable(int from)
{
	struct pollfd one = { .fd = from, .events = POLLIN };

	return poll(&one, 1, ON_ITS_WAY_MS) > 0;
}

static int read_some(struct itp_perf_file *file)
{
	g_autofree uint8_t *buffer = g_malloc(READ_BYTES);
	ssize_t got = TEMP_FAILURE_RETRY(read(file->growing->from, buffer, READ_BYTES));

	if (got < 0) {
		return ITP_ERROR_IO;
	}
	if (!append_data(file, buffer, (size_t)got)) {
		return ITP_ERROR_COPY;
	}
	file->growing->at_end = got == 0;
	return 0;
}

int itp_growing_read(struct itp_perf_file *file)
{
	return is_readable(file->growing->from) ? read_some(file) : ITP_ERROR_AGAIN;
}

static bool is_head(const struct itp_perf_record *record)
{
	switch (record->type) {
	case ITP_RECORD_ATTR:
	case ITP_RECORD_TRACING_DATA:
	case ITP_RECORD_BUILD_ID:
	case ITP_RECORD_FEATURE:
		return true;
	default:
		/* perf's own records, such as the names and units of events. */
		return record->type > ITP_RECORD_TOOL_FIRST &&
		       record->type < ITP_RECORD_COMPRESSED &&
		       record->type != ITP_RECORD_FINISHED_ROUND;
	}
}

int itp_growing_read_head(struct itp_perf_file *file)
{
	uint64_t offset = HEADER_BYTES;
	struct itp_perf_record record = { .type = ITP_RECORD_ATTR };
	int error = 0;

	while (error == 0 && !file->growing->at_end && is_head(&record)) {
		uint64_t next;
		int got = file->image.size > offset ?
				  itp_perf_file_record(file, offset, &record, &next) :
				  0;

		if (got == 1) {
			offset = next;
		} else {
			record.type = ITP_RECORD_ATTR;
			error = read_some(file);
		}
	}
	return error;
}

void itp_growing_forget(const struct itp_growing *growing, uint64_t begin, uint64_t end)
{
	madvise(growing->memory + begin, (size_t)(end - begin), MADV_DONTNEED);
	/* If punching fails, the file keeps its blocks. */
	(void)fallocate(growing->copy, FALLOC_FL_PUNCH_HOLE | FALLOC_FL_KEEP_SIZE, (off_t)begin,
			(off_t)(end - begin));
}
