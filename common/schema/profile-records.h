/* SPDX-License-Identifier: MIT */
/*
 * A profile as records for messages and saved profiles: its nodes, parents first, each after its
 * function and before its wakers, slowest calls and latencies, then the types of units with their
 * latencies and slowest units, and at last the workload. Nodes without anything to tell are left
 * out.
 *
 * The destination of the records is the caller's business.
 */
#ifndef ITP_SCHEMA_PROFILE_RECORDS_H
#define ITP_SCHEMA_PROFILE_RECORDS_H

#include "common/infer/profile-source.h"
#include "common/schema/unit-records.h"

/* Types of the records; a set of 1 << enum itp_record_type. */
#define ITP_PROFILE_RECORD_TYPES                                                       \
	(1U << ITP_RECORD_FUNCTION | 1U << ITP_RECORD_NODE | 1U << ITP_RECORD_WAKER |  \
	 1U << ITP_RECORD_SLOWEST | 1U << ITP_RECORD_LATENCY | 1U << ITP_RECORD_UNIT | \
	 1U << ITP_RECORD_UNIT_LATENCY | 1U << ITP_RECORD_UNIT_SPAN | 1U << ITP_RECORD_WORKLOAD)

struct itp_profile_records;

/* Everything in `source` must outlive the records. */
struct itp_profile_records *itp_profile_records_new(const struct itp_profile_source *source);
void itp_profile_records_free(struct itp_profile_records *records);

/* Sends the next few records; to be called again while it sets *ret_more. */
bool itp_profile_records_send(struct itp_profile_records *records, itp_profile_record_func send,
			      void *data, bool *ret_more, GError **error);

#endif
