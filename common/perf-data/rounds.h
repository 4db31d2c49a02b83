/* SPDX-License-Identifier: MIT */
/*
 * Rounds, the promise that they make, and the records of a file that break it.
 *
 * perf empties the buffers of all processors in turn, which is a round. The end of a round promises
 * that no later record has an earlier time than the newest record of the round before. Records can
 * break the promise: the kernel takes the time of a COMM or an MMAP2 before it writes the record,
 * and other programs than perf write such files, too. A record that breaks it is late.
 *
 * A file that lies on disk as it was recorded is looked through once before it is read, record
 * header by record header, for its late records. These can then be handed out where their times
 * belong. order.c does that, and says what it does where a file cannot be looked through.
 */
#ifndef ITP_PERF_DATA_ROUNDS_H
#define ITP_PERF_DATA_ROUNDS_H

#include "common/perf-data/file.h"

/* So many late records of a file are found, 16 bytes each: 16 MiB. */
#define ITP_MAX_LATE_RECORDS (1024u * 1024)

struct itp_perf_rounds {
	/* How many records make a round, where the file does not say where a round ends; else 0. */
	unsigned int length;
	/* Records of the round that is being read. */
	unsigned int count;
	/* The newest time that was read, and what it was when the last round ended. */
	uint64_t largest_time;
	uint64_t last_round_time;
	/* A record with an earlier time is late. */
	uint64_t promised_time;
};

/* The next record has this time. Returns true when the record is late. */
bool itp_perf_rounds_take(struct itp_perf_rounds *rounds, uint64_t time);

/* Ends the round. */
void itp_perf_rounds_end(struct itp_perf_rounds *rounds);

/* The time of a record, as itp_perf_record_time() finds it, and 0 for records without one, for
 * which perf also writes the largest number. ITP_ERROR_CORRUPT also for times that are no int64_t,
 * as all times are elsewhere. */
int itp_perf_rounds_time(struct itp_perf_file *file, const struct itp_perf_record *record,
			 uint64_t *ret_time);

/* A record, by its time and by its place in the file. */
struct itp_perf_place {
	uint64_t time;
	/* For itp_perf_records_get(). */
	uint64_t position;
};

/* The late records of `file`, which is not growing, where `length` records make a round: struct
 * itp_perf_place in the order of their times, those of equal times in the order of the file. NULL
 * when the file has compressed records, which can only be had in the order of the file. What lies
 * behind a damaged record is not looked at. Owned by the caller. */
GArray *itp_perf_late_records(struct itp_perf_file *file, unsigned int length);

#endif
