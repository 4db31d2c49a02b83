/* SPDX-License-Identifier: MIT */
/*
 * Records of threads and mappings of all processes, by a perf event on each CPU that counts nothing
 * and is filled in by the kernel. They are rare, and exact in order.
 */
#ifndef ITP_PERF_RECORD_SIDEBAND_H
#define ITP_PERF_RECORD_SIDEBAND_H

#include <glib.h>
#include <linux/perf_event.h>
#include <stdbool.h>
#include <stdint.h>

/* Trailer of every record but samples, also if made by the recorder. */
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

/* Attribute of the event as opened. Weak. */
const struct perf_event_attr *itp_recorder_sideband_attr(
	const struct itp_recorder_sideband *sideband);
/* uint64_t: ids of the event, of each CPU. Weak. */
const GArray *itp_recorder_sideband_ids(const struct itp_recorder_sideband *sideband);
/* int: descriptors, to poll for waiting records. Weak. */
const GArray *itp_recorder_sideband_files(const struct itp_recorder_sideband *sideband);

/* Takes all waiting records out of the kernel's rings. */
void itp_recorder_sideband_take(struct itp_recorder_sideband *sideband);

/* Earliest taken record, if not later than `until_ns`, else NULL. In the order of time, as far as
 * all records were taken. Weak, and may be changed, until the next call. */
struct perf_event_header *itp_recorder_sideband_next(struct itp_recorder_sideband *sideband,
						     uint64_t until_ns);

#endif
