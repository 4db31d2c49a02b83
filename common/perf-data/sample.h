/* SPDX-License-Identifier: MIT */
/*
 * Fields of one record, by the sample type of its attribute.
 *
 * Which fields a record has, and so where each of them lies, follows from the attribute that
 * the record's event id names; the id itself lies where no other field can move it.
 */
#ifndef ITP_PERF_DATA_SAMPLE_H
#define ITP_PERF_DATA_SAMPLE_H

#include "common/perf-data/file.h"
#include "common/stacks/callchain.h"

/* What every record may tell about itself. */
struct itp_perf_stamp {
	/* Index of the record's attribute. */
	uint32_t attr;
	/* 0 when not recorded, as in what perf makes up at the start about what was there. */
	uint64_t time;
	/* -1 when not recorded. */
	int32_t pid;
	int32_t tid;
	int32_t cpu;
};

/* Calls that had not returned, as the CPU remembers them (LBR): innermost first, each from where to
 * where, two 64-bit numbers and something more. */
struct itp_perf_calls {
	struct itp_bytes entries;
	uint64_t entry_size;
};

struct itp_perf_sample {
	struct itp_perf_stamp stamp;
	/* Where the CPU was; 0 when that is not recorded. */
	uint64_t ip;
	/* For how much of what its event counts it stands; 0 when that is not known. */
	uint64_t period;
	/* Instruction pointers and markers, leaf first; 64-bit numbers. */
	struct itp_bytes chain;
	bool has_chain;
	/* Instead of the user's part of the chain but for its leaf; empty where there are none. */
	struct itp_perf_calls calls;
	/* The user's part of the chain was unwound by whoever hands it over, and may not have got
	 * to the thread's first function. */
	bool is_unwound;
	bool lacks_root;
	/* Fields of a tracepoint. */
	struct itp_bytes raw;
	struct itp_user_state user;
};

/* Works out where the common fields lie in records of `attr`. */
void itp_perf_layout_init(struct itp_perf_layout *layout, const struct itp_perf_attr *attr);

/* The time of any record, 0 when it has none. Returns ITP_ERROR_CORRUPT for one that is too short,
 * ITP_ERROR_UNKNOWN_ID for one whose id belongs to no attribute. */
int itp_perf_record_time(struct itp_perf_file *file, const struct itp_perf_record *record,
			 uint64_t *ret_time);

/* The trailer of a record that is no sample; errors as above. `record->body` is shortened to
 * what lies before it. */
int itp_perf_record_trailer(struct itp_perf_file *file, struct itp_perf_record *record,
			    struct itp_perf_stamp *ret_stamp);

/* The fields of a PERF_RECORD_CALLCHAIN_DEFERRED, whose trailer was taken off; false when it is too
 * short for them. */
bool itp_perf_record_deferred(const struct itp_perf_record *record, uint64_t *ret_cookie,
			      struct itp_bytes *ret_chain);

/* The fields of a PERF_RECORD_SAMPLE up to the copied stack; what may follow is not used. Errors
 * as above. */
int itp_perf_record_sample(struct itp_perf_file *file, const struct itp_perf_record *record,
			   struct itp_perf_sample *ret_sample);

#endif
