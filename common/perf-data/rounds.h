/* SPDX-License-Identifier: MIT */
/*
 * Rounds, their promise, and the records of a file that break it.
 *
 * perf empties the buffers of all processors in turn, which is a round. The end of a round promises
 * no later record with an earlier time than the newest record of the round before. Records can
 * break the promise: the kernel takes the time of a COMM or an MMAP2 before it writes the record,
 * and other programs than perf write perf.data files, too. A record that breaks the promise is
 * late.
 *
 * A file as recorded, on disk, is looked through for late records before it is read, record header
 * by record header. The records can then be handed out in the place of their times, by order.c,
 * which also treats files that cannot be looked through.
 */
#ifndef ITP_PERF_DATA_ROUNDS_H
#define ITP_PERF_DATA_ROUNDS_H

#include "common/perf-data/file.h"

/* Most late records found in a file, 16 bytes each: 16 MiB. */
#define ITP_MAX_LATE_RECORDS (1024u * 1024)

struct itp_perf_rounds {
	/* Records of a round, if the file does not tell its rounds; else 0. */
	unsigned int length;
	/* Records of the current round. */
	unsigned int count;
	/* The newest time read, and the newest time at the end of the last round. */
	uint64_t largest_time;
	uint64_t last_round_time;
	/* A record with an earlier time is late. */
	uint64_t promised_time;
};

/* Takes the time of the next record. Returns true when the record is late. */
bool itp_perf_rounds_take(struct itp_perf_rounds *rounds, uint64_t time);

/* Ends the round. */
void itp_perf_rounds_end(struct itp_perf_rounds *rounds);

/* The time of a record, as by itp_perf_record_time(), and 0 for records without a time, also if
 * perf writes the largest number. ITP_ERROR_CORRUPT also for times beyond an int64_t, the type of
 * times elsewhere. */
int itp_perf_rounds_time(struct itp_perf_file *file, const struct itp_perf_record *record,
			 uint64_t *ret_time);

/* A record, by its time and by its place in the file. */
struct itp_perf_place {
	uint64_t time;
	/* For itp_perf_records_get(). */
	uint64_t position;
};

/* The late records of `file`, not growing, with rounds of `length` records: struct itp_perf_place
 * in the order of their times, equal times in the order of the file. NULL when the file has
 * compressed records, readable only in the order of the file. Records behind a damaged record are
 * left out. Owned by the caller. */
GArray *itp_perf_late_records(struct itp_perf_file *file, unsigned int length);

#endif
