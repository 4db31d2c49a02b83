/* SPDX-License-Identifier: MIT */
/*
 * Records of all buffers of a file in one order in time.
 *
 * perf empties the buffers of the processors in turn and writes FINISHED_ROUND after all of them.
 * Records of the next round are newer than the largest time of the round before
 * (tools/perf/util/ordered-events.c), so memory holds about two rounds, 16 bytes a record. Records
 * of equal times keep their order in the file; records without a time come at once.
 *
 * Late records, explained in rounds.h, are handed out in the place of their times:
 *
 *   a file on disk     looked through for them first; exact, for ITP_MAX_LATE_RECORDS of them
 *   compressed records held back, beyond their two rounds, as long as they are less than 64 MiB
 *                      unpacked and 262 144
 *   a growing file     likewise, and no longer than half a second of the recording's time, so that
 *                      spectators are not kept waiting
 *
 * A record later than the table allows gets the time of its predecessor. Both kinds are counted.
 *
 * The file of a single buffer has no rounds. It is in order but for records of interrupts in front
 * of an event that had its time already, so any few records make a round.
 */
#ifndef ITP_PERF_DATA_ORDER_H
#define ITP_PERF_DATA_ORDER_H

#include "common/perf-data/records.h"
#include "common/perf-data/rounds.h"

struct itp_perf_counts;

struct itp_perf_order {
	/* Weak. */
	struct itp_perf_file *file;
	/* Both of `capacity` entries. The first has the entries in use, with held records, sorted
	 * up to `ready`. Owned by this. */
	struct itp_perf_place *entries;
	struct itp_perf_place *scratch;
	size_t capacity;
	size_t count;
	/* Entries [next, ready) may be handed out now. */
	size_t next;
	size_t ready;
	/* State of reading. Owned by this. */
	struct itp_perf_records records;
	/* Record handed out and still held, 0 for none. */
	uint64_t held;
	struct itp_perf_rounds rounds;
	/* Late records in the order of their times; NULL before the first record, and if late
	 * records are held back instead. Owned by this. */
	GArray *late;
	/* How many of them were handed out, and how many were met in the file. */
	guint late_next;
	guint late_met;
	/* Late records are held back. */
	bool holds_back;
	/* Time up to which all records so far were handed out. */
	uint64_t flushed_time;
	/* The file was looked through for late records. */
	bool is_begun;
	/* Time of the last record handed out. */
	uint64_t last_time;
	/* 1 while more may be read, then 0 or the error that ended the reading. */
	int state;
	/* No record yet, in a growing file. */
	bool is_waiting;
	/* The last record handed out has no time. */
	bool is_timeless;
	/* Counts records with an unknown event id, and late records. Weak. */
	struct itp_perf_counts *counts;
};

/* `file` and `counts` are weak and must outlive the result. */
void itp_perf_order_init(struct itp_perf_order *order, struct itp_perf_file *file,
			 struct itp_perf_counts *counts);
void itp_perf_order_release(struct itp_perf_order *order);

/* The next record, and its time, which never goes back: a record too late for its place gets its
 * predecessor's time, and so does a record without a time. Returns 1, 0 at the end, ITP_ERROR_AGAIN
 * when none has come yet, or the error that ended the reading, after all records before it. The
 * record is valid until the next call. */
int itp_perf_order_next(struct itp_perf_order *order, struct itp_perf_record *ret_record,
			uint64_t *ret_time);

/* Hands out queued records, as nothing new is expected from before `time`. False when records are
 * ready; otherwise later records with an earlier time get `time`. To be called only after
 * ITP_ERROR_AGAIN. */
bool itp_perf_order_pass(struct itp_perf_order *order, uint64_t time);

#endif
