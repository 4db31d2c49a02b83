/* SPDX-License-Identifier: MIT */
/*
 * Records of all files of a recording in one order in time; order.h has those of one file.
 *
 * Most recordings are one file. One that is a directory has a file for each buffer, in order each,
 * and one with what perf itself has to say. The next record is the oldest of those that come next
 * in each, so memory holds as much of each file as its own order needs, however long the files are.
 * What perf says at the beginning, and what at the end, has no time: it says where the beginning is
 * over.
 */
#ifndef ITP_PERF_DATA_MERGE_H
#define ITP_PERF_DATA_MERGE_H

#include "common/perf-data/order.h"

/* What comes next in one of the files. */
struct itp_perf_merge_head {
	struct itp_perf_order order;
	struct itp_perf_record record;
	uint64_t time;
};

struct itp_perf_merge {
	/* The recording itself, then its parts. Owned by this. */
	struct itp_perf_merge_head *heads;
	size_t count;
	/* Times by which heads are compared, UINT64_MAX for what is to come last. Owned by this. */
	uint64_t *keys;
	/* The head whose record, or error, was handed out last. */
	size_t current;
	uint64_t last_time;
	/* All heads hold their first record. */
	bool is_begun;
	/* What comes without a time belongs to the end. */
	bool is_init_over;
};

/* `file` and `counts` are weak and must outlive the result. */
void itp_perf_merge_init(struct itp_perf_merge *merge, struct itp_perf_file *file,
			 struct itp_perf_counts *counts);
void itp_perf_merge_release(struct itp_perf_merge *merge);

/* As itp_perf_order_next(). The first file that ends with an error ends all: what the others have
 * from later times would lack its events. */
int itp_perf_merge_next(struct itp_perf_merge *merge, struct itp_perf_record *ret_record,
			uint64_t *ret_time);

/* As itp_perf_order_pass(), of a recording that is one file. */
bool itp_perf_merge_pass(struct itp_perf_merge *merge, uint64_t time);

/* Where the record that was handed out last comes from, or the error; at the end, the recording
 * itself. Weak. */
const struct itp_perf_order *itp_perf_merge_current(const struct itp_perf_merge *merge);

/* Some file lacks the end of what was compressed. */
bool itp_perf_merge_is_cut(const struct itp_perf_merge *merge);

/* How far all files together were read, in bytes. */
uint64_t itp_perf_merge_done_bytes(const struct itp_perf_merge *merge);

#endif
