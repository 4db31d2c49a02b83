/* SPDX-License-Identifier: MIT */
/*
 * All records of a file in order, also out of compressed records.
 *
 * Each record has a position, at which it can be read again while held. Records in the file itself
 * need not be held, but no caller has to know.
 */
#ifndef ITP_PERF_DATA_RECORDS_H
#define ITP_PERF_DATA_RECORDS_H

#include "common/perf-data/file.h"

struct itp_unpacker;

struct itp_perf_records {
	/* Weak. */
	struct itp_perf_file *file;
	/* NULL before the first compressed record. Owned by this. */
	struct itp_unpacker *unpacker;
	/* Offset of the next record in the file. */
	uint64_t offset;
	/* Offset of the last record read, for errors in it. */
	uint64_t last_offset;
	/* Size of the last compressed record read. */
	size_t last_packed_bytes;
	/* The file is whole, but lacks the end of its compressed data. */
	bool is_cut;
};

/* `file` is weak and must outlive the result. */
void itp_perf_records_init(struct itp_perf_records *records, struct itp_perf_file *file);
void itp_perf_records_release(struct itp_perf_records *records);

/* The next record. Returns 1; 0 at the end of the data; or an error, with its place in
 * `last_offset`. The record is valid until the next call, longer if held. */
int itp_perf_records_next(struct itp_perf_records *records, struct itp_perf_record *ret_record);

/* Keeps the last record read, until let go. */
void itp_perf_records_hold(struct itp_perf_records *records, const struct itp_perf_record *record);
void itp_perf_records_let_go(struct itp_perf_records *records, uint64_t position);

/* The held record at `position`. Returns 1 or an error. */
int itp_perf_records_get(struct itp_perf_records *records, uint64_t position,
			 struct itp_perf_record *ret_record);

/* Bytes of unpacked data in memory. */
uint64_t itp_perf_records_live_bytes(const struct itp_perf_records *records);

/* The file's pages before `position` will hardly be needed again. */
void itp_perf_records_forget(struct itp_perf_records *records, uint64_t position);

#endif
