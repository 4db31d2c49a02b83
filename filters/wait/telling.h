/* SPDX-License-Identifier: MIT */
/*
 * Messages of filter.introperf.wait about the symptoms of a trace. Functions and contexts come
 * before the first message that needs them, and no others.
 */
#ifndef ITP_FILTERS_WAIT_TELLING_H
#define ITP_FILTERS_WAIT_TELLING_H

#include "common/wait/interest.h"
#include "common/wait/symptom.h"
#include "messages/filter.h"

/* All weak. */
struct itp_wait_telling {
	struct itp_filter_trace *trace;
	const struct itp_recall *recall;
	/* struct itp_symptom. */
	const GArray *symptoms;
	enum itp_interest_scope scope;
	/* Record at the end. */
	struct itp_search_record search;
};

/* Emits the symptoms, each with the waits on its critical path, then their stacks of interest, and
 * what was looked for. */
bool itp_wait_tell(const struct itp_wait_telling *telling, GError **error);

/* Types of these records; a set of 1 << enum itp_record_type. */
#define ITP_INTEREST_RECORD_TYPES                                                          \
	(1U << ITP_RECORD_FUNCTION | 1U << ITP_RECORD_CONTEXT | 1U << ITP_RECORD_SYMPTOM | \
	 1U << ITP_RECORD_WAIT | 1U << ITP_RECORD_INTEREST | 1U << ITP_RECORD_SEARCH)

#endif
