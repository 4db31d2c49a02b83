/* SPDX-License-Identifier: MIT */
/*
 * Threads and mappings, by records of an event of perf that counts nothing, one on each CPU, and
 * filled in by the kernel for all processes. They are rare, and exact in order.
 */
#ifndef ITP_PERF_RECORD_SIDEBAND_H
#define ITP_PERF_RECORD_SIDEBAND_H

#include <glib.h>
#include <linux/perf_event.h>
#include <stdbool.h>
#include <stdint.h>

/* Trailer of every record of it, also of those made by the recorder. */
struct itp_recorder_trailer {
	uint32_t pid;
	uint32_t tid;
	uint64_t time_ns;
	uint32_t cpu;
	uint32_t unused;
	uint64_t id;
};

#define ITP_RECORDER_TRAILER_TYPE \
	(PERF_SAMPLE_TID | PERF_SAMPLE_TIME | PERF_SAMPLE_CPU | PERF_SAMPLE_IDENTIFIER)

struct itp_recorder_sideband;

/* NULL with an error when the kernel refuses. */
struct itp_recorder_sideband *itp_recorder_sideband_new(GError **error);
void itp_recorder_sideband_free(struct itp_recorder_sideband *sideband);

/* Event as opened. */
const struct perf_event_attr *itp_recorder_sideband_attr(
	const struct itp_recorder_sideband *sideband);
/* uint64_t: its number on each CPU. Weak. */
const GArray *itp_recorder_sideband_ids(const struct itp_recorder_sideband *sideband);
/* int: descriptors to be read when there are records. Weak. */
const GArray *itp_recorder_sideband_files(const struct itp_recorder_sideband *sideband);

/* Takes all waiting records. */
void itp_recorder_sideband_take(struct itp_recorder_sideband *sideband);

/* First taken record, if not later than `until`; NULL for none. In the order of time as far as all
 * were there. It may be changed, until the next call. */
struct perf_event_header *itp_recorder_sideband_next(struct itp_recorder_sideband *sideband,
						     uint64_t until_ns);

#endif
