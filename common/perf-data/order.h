/* SPDX-License-Identifier: MIT */
/*
 * Records of all buffers in one order in time.
 *
 * perf empties the buffers of the processors in turn and writes FINISHED_ROUND when it has been
 * through all of them. What the next round brings is then newer than everything up to the
 * largest time of the round before (tools/perf/util/ordered-events.c), so memory holds about
 * two rounds, 16 bytes a record. Records of equal times keep their order in the file; records
 * without a time come at once.
 *
 * Late records, which rounds.h explains, are handed out where their times belong:
 *
 *   a file on disk     is looked through for them first; exact, for ITP_MAX_LATE_RECORDS of them
 *   compressed records are held back, beyond their two rounds, as long as they are less than
 *                      64 MiB unpacked and 262 144
 *   a growing file     the same, and no longer than half a second of the recording's time, so that
 *                      whoever looks on is not kept waiting
 *
 * A record that is late by more than these allow gets the time of its predecessor. Both kinds are
 * counted.
 *
 * The file of a single buffer has no rounds. It is in order but for what interrupts recorded while
 * they were in front of an event that had its time already, so that any few records make a round.
 */
#ifndef ITP_PERF_DATA_ORDER_H
#define ITP_PERF_DATA_ORDER_H

#include "common/perf-data/records.h"
#include "common/perf-data/rounds.h"

struct itp_perf_counts;

struct itp_perf_order {
	/* Weak. */
	struct itp_perf_file *file;
	/* Both of `capacity` entries; those in use are in the first, which are sorted up to
	 * `ready`, and whose records are held. Owned by this. */
	struct itp_perf_place *entries;
	struct itp_perf_place *scratch;
	size_t capacity;
	size_t count;
	/* Entries [next, ready) may be handed out now. */
	size_t next;
	size_t ready;
	/* What reading goes on with. Owned by this. */
	struct itp_perf_records records;
	/* Record that was handed out and is still held, 0 for none. */
	uint64_t held;
	struct itp_perf_rounds rounds;
	/* Late records in the order of their times, NULL before the first record is asked for and
	 * where they are held back instead. Owned by this. */
	GArray *late;
	/* How many of them were handed out, and how many were met in the file. */
	guint late_next;
	guint late_met;
	/* Late records are held back. */
	bool holds_back;
	/* Up to this time all that had come was handed out. */
	uint64_t flushed_time;
	/* The file was looked through for late records. */
	bool is_begun;
	/* Time of the last record that was handed out. */
	uint64_t last_time;
	/* 1 while there is more to read, then 0 or the error that ended it. */
	int state;
	/* There is no more yet. */
	bool is_waiting;
	/* The last record that was handed out has no time. */
	bool is_timeless;
	/* Counts records whose event id belongs to no attribute, and those that are late. Weak. */
	struct itp_perf_counts *counts;
};

/* `file` and `counts` are weak and must outlive the result. */
void itp_perf_order_init(struct itp_perf_order *order, struct itp_perf_file *file,
			 struct itp_perf_counts *counts);
void itp_perf_order_release(struct itp_perf_order *order);

/* The next record, and the time to use for it, which never goes back: a record that cannot be put
 * where its time belongs gets its predecessor's time, and so does one without a time. Returns 1,
 * 0 at the end, ITP_ERROR_AGAIN when there is none yet, or the error that ended the reading; what
 * lay before is then handed out. The record is valid until the next call. */
int itp_perf_order_next(struct itp_perf_order *order, struct itp_perf_record *ret_record,
			uint64_t *ret_time);

/* Nothing new is to be expected from before `time`, so that what is queued can be handed out. False
 * when there is something; else what comes later with an earlier time gets this. To be called only
 * after ITP_ERROR_AGAIN. */
bool itp_perf_order_pass(struct itp_perf_order *order, uint64_t time);

#endif
