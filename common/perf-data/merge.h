/* SPDX-License-Identifier: MIT */
/*
 * Records of all files of a recording in one order in time; order.h has the records of a file.
 *
 * Most recordings are a single file. A directory has a file for each buffer, in order each, and a
 * file with perf's own records. The next record is the oldest of the next records of all files, so
 * memory holds as much of each file as its own order needs, however long the files are. perf's
 * records at the beginning, and at the end, have no time; a record marks the end of the beginning.
 */
#ifndef ITP_PERF_DATA_MERGE_H
#define ITP_PERF_DATA_MERGE_H

#include "common/perf-data/order.h"

/* The next record of a file. */
struct itp_perf_merge_head {
	struct itp_perf_order order;
	struct itp_perf_record record;
	uint64_t time;
};

struct itp_perf_merge {
	/* The recording itself, then its parts. Owned by this. */
	struct itp_perf_merge_head *heads;
	size_t count;
	/* Times by which heads are compared, UINT64_MAX for heads that come last. Owned by this. */
	uint64_t *keys;
	/* The head whose record, or error, was handed out last. */
	size_t current;
	uint64_t last_time;
	/* All heads hold their first record. */
	bool is_begun;
	/* Records without a time belong to the end. */
	bool is_init_over;
};

/* `file` and `counts` are weak and must outlive the result. */
void itp_perf_merge_init(struct itp_perf_merge *merge, struct itp_perf_file *file,
			 struct itp_perf_counts *counts);
void itp_perf_merge_release(struct itp_perf_merge *merge);

/* Like itp_perf_order_next(). The first file with an error ends all: later records of other files
 * would lack its events. */
int itp_perf_merge_next(struct itp_perf_merge *merge, struct itp_perf_record *ret_record,
			uint64_t *ret_time);

/* Like itp_perf_order_pass(), for a recording that is a single file. */
bool itp_perf_merge_pass(struct itp_perf_merge *merge, uint64_t time);

/* File of the last record handed out, or of the error; at the end, the recording itself. Weak. */
const struct itp_perf_order *itp_perf_merge_current(const struct itp_perf_merge *merge);

/* True when a file lacks the end of its compressed data. */
bool itp_perf_merge_is_cut(const struct itp_perf_merge *merge);

/* How far all files together were read, in bytes. */
uint64_t itp_perf_merge_done_bytes(const struct itp_perf_merge *merge);

#endif
