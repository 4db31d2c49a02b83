/* SPDX-License-Identifier: MIT */
/*
 * Fields of a record, by the sample type of its attribute.
 *
 * The fields of a record, and their places, follow from the attribute of the record's event id; the
 * id itself lies at a place that no other field can move.
 */
#ifndef ITP_PERF_DATA_SAMPLE_H
#define ITP_PERF_DATA_SAMPLE_H

#include "common/perf-data/file.h"
#include "common/stacks/callchain.h"

/* Facts of every record about itself. */
struct itp_perf_stamp {
	/* Index of the record's attribute. */
	uint32_t attr;
	/* 0 when not recorded, as in perf's records at the start about the past. */
	uint64_t time;
	/* -1 when not recorded. */
	int32_t pid;
	int32_t tid;
	int32_t cpu;
};

/* Calls that had not returned, as remembered by the CPU (LBR): innermost first, each with origin
 * and target, two 64-bit numbers and something more. */
struct itp_perf_calls {
	struct itp_bytes entries;
	uint64_t entry_size;
};

struct itp_perf_sample {
	struct itp_perf_stamp stamp;
	/* Instruction of the CPU; 0 when not recorded. */
	uint64_t ip;
	/* Count of the event that the sample stands for; 0 when unknown. */
	uint64_t period;
	/* Instruction pointers and markers, leaf first; 64-bit numbers. */
	struct itp_bytes chain;
	bool has_chain;
	/* Calls in place of the user's part of the chain but for its leaf; empty without. */
	struct itp_perf_calls calls;
	/* The user's part of the chain was unwound by the writer, and may be short of the thread's
	 * first function. */
	bool is_unwound;
	bool lacks_root;
	/* Fields of a tracepoint. */
	struct itp_bytes raw;
	struct itp_user_state user;
	/* Number of the thread's control group; 0 when not recorded. */
	uint64_t cgroup;
};

/* The time of any record, 0 without a time. Returns ITP_ERROR_CORRUPT for a record too short,
 * ITP_ERROR_UNKNOWN_ID for an id of no attribute. */
int itp_perf_record_time(struct itp_perf_file *file, const struct itp_perf_record *record,
			 uint64_t *ret_time);

/* The trailer of a record other than a sample; errors as above. `record->body` is shortened by the
 * trailer. */
int itp_perf_record_trailer(struct itp_perf_file *file, struct itp_perf_record *record,
			    struct itp_perf_stamp *ret_stamp);

/* The fields of a PERF_RECORD_CALLCHAIN_DEFERRED, with its trailer taken off; false when too
 * short. */
bool itp_perf_record_deferred(const struct itp_perf_record *record, uint64_t *ret_cookie,
			      struct itp_bytes *ret_chain);

/* The fields of a PERF_RECORD_SAMPLE up to the copied stack, and the control group; other later
 * fields are not used. Errors as above. */
int itp_perf_record_sample(struct itp_perf_file *file, const struct itp_perf_record *record,
			   struct itp_perf_sample *ret_sample);

#endif
