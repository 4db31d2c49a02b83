/* SPDX-License-Identifier: MIT */
/*
 * Steps through the file; a compressed record is fed to the unpacker and gone through first.
 */
#include "common/perf-data/records.h"

#include "common/perf-data/growing.h"
#include "common/perf-data/record-types.h"

/* The largest record; one of COMPRESSED2 is padded. */
#define FULL_BYTES (UINT16_MAX / 8 * 8 - ITP_PERF_RECORD_HEADER_BYTES)

void itp_perf_records_init(struct itp_perf_records *records, struct itp_perf_file *file)
{
	*records = (struct itp_perf_records){ .file = file,
					      .offset = file->data_begin,
					      .last_offset = file->data_begin };
}

void itp_perf_records_release(struct itp_perf_records *records)
{
	itp_unpacker_free(records->unpacker);
	*records = (struct itp_perf_records){ .file = NULL };
}

static int feed(struct itp_perf_records *records, const struct itp_perf_record *record)
{
	records->last_packed_bytes = record->body.size;
	if (!records->unpacker) {
		records->unpacker = itp_unpacker_new();
	}
	return records->unpacker ? itp_unpacker_feed(records->unpacker, record) : ITP_ERROR_MEMORY;
}

/* A compressed stream that stops inside a record was cut, as its file was; or perf has not written
 * out its end: perf 6.1 forgets what had no room any more in the last compressed record. */
static int at_end(struct itp_perf_records *records)
{
	bool is_cut = records->file->damage == ITP_ERROR_TRUNCATED;

	if (!records->unpacker || !itp_unpacker_is_inside(records->unpacker)) {
		return 0;
	}
	if (records->last_packed_bytes >= FULL_BYTES && !is_cut) {
		records->is_cut = true;
		return 0;
	}
	return is_cut || records->file->part_name ? ITP_ERROR_TRUNCATED : ITP_ERROR_CORRUPT;
}

/* The next record, for which more is read where there is no whole one yet. */
static int next_in_file(struct itp_perf_records *records, struct itp_perf_record *ret_record,
			uint64_t *ret_next)
{
	const struct itp_growing *growing = records->file->growing;
	int got = itp_perf_file_record(records->file, records->offset, ret_record, ret_next);

	while ((got == 0 || got == ITP_ERROR_TRUNCATED) && growing && !growing->at_end) {
		int error = itp_growing_read(records->file);

		if (error != 0) {
			return error;
		}
		got = itp_perf_file_record(records->file, records->offset, ret_record, ret_next);
	}
	return got;
}

int itp_perf_records_next(struct itp_perf_records *records, struct itp_perf_record *ret_record)
{
	int got = records->unpacker ? itp_unpacker_next(records->unpacker, ret_record) : 0;

	while (got == 0) {
		uint64_t next;

		records->last_offset = records->offset;
		got = next_in_file(records, ret_record, &next);
		if (got == 0) {
			return at_end(records);
		}
		if (got != 1) {
			return got;
		}
		records->offset = next;
		if (ret_record->type == ITP_RECORD_COMPRESSED ||
		    ret_record->type == ITP_RECORD_COMPRESSED2) {
			got = feed(records, ret_record);
			if (got == 0) {
				got = itp_unpacker_next(records->unpacker, ret_record);
			}
		}
	}
	return got;
}

void itp_perf_records_hold(struct itp_perf_records *records, const struct itp_perf_record *record)
{
	if (record->position & ITP_UNPACKED_POSITION) {
		itp_unpacker_hold(records->unpacker);
	}
}

void itp_perf_records_let_go(struct itp_perf_records *records, uint64_t position)
{
	if (position & ITP_UNPACKED_POSITION) {
		itp_unpacker_release(records->unpacker, position);
	}
}

int itp_perf_records_get(struct itp_perf_records *records, uint64_t position,
			 struct itp_perf_record *ret_record)
{
	uint64_t next;

	if (position & ITP_UNPACKED_POSITION) {
		itp_unpacker_get(records->unpacker, position, ret_record);
		return 1;
	}
	return itp_perf_file_record(records->file, position, ret_record, &next);
}

void itp_perf_records_forget(struct itp_perf_records *records, uint64_t position)
{
	itp_perf_file_forget(records->file,
			     position & ITP_UNPACKED_POSITION ? records->offset : position);
}
