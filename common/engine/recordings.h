/* SPDX-License-Identifier: MIT */
/*
 * Recordings of perf, each read to its profile: the way of source.introperf.perf,
 * filter.introperf.infer and filter.introperf.normalize without messages, with the same results.
 */
#ifndef ITP_ENGINE_RECORDINGS_H
#define ITP_ENGINE_RECORDINGS_H

#include "common/engine/analysis.h"
#include "common/engine/missing-names.h"
#include "common/engine/symbol-params.h"

struct itp_recordings;

/* How recordings are read. */
struct itp_reading_params {
	struct itp_symbol_params symbols;
	enum itp_perf_clock clock;
	struct itp_analysis_options analysis;
};

/* How far the reading is. */
struct itp_progress {
	/* Of all recordings together; in order of time, so that it may go back a little. */
	uint64_t done_bytes;
	uint64_t total_bytes;
	uint64_t done_events;
};

/* Watcher of a reading: callbacks of a host. */
struct itp_recordings_watch {
	/* Called every few thousand events; false stops the reading. */
	bool (*progress)(const struct itp_progress *progress, void *data);
	/* Receiver of missing names. */
	itp_tell_func tell;
	/* For both. Weak. */
	void *data;
};

/* Opens and checks the files of `paths` (char *, may be none). `params` is weak and must outlive
 * the result. */
struct itp_recordings *itp_recordings_new(const GPtrArray *paths,
					  const struct itp_reading_params *params, GError **error);
void itp_recordings_free(struct itp_recordings *recordings);

/* Reads them all; undamaged parts of a damaged one count. To be called once. False when one was not
 * read to its end: with the first failure as the error, perhaps an ITP_FAILURE_PART
 * (common/base/failure.h), or without an error when `watch` stopped the reading. */
bool itp_recordings_read(struct itp_recordings *recordings,
			 const struct itp_recordings_watch *watch,
			 GError **error) G_GNUC_WARN_UNUSED_RESULT;

/* Symptoms found in the first recording, by the wish; NULL without one. */
struct itp_symptoms *itp_recordings_symptoms(const struct itp_recordings *recordings);

/* Units of work found in recording `i`; NULL when not looked for. */
const struct itp_unit_log *itp_recordings_units(const struct itp_recordings *recordings, guint i);

/* Part of recording `i` in which system calls were not watched, from 0 to 1. */
double itp_recordings_rests_part(const struct itp_recordings *recordings, guint i);

/* Requests followed in recording `i`; NULL when not looked for. */
const struct itp_through *itp_recordings_through(const struct itp_recordings *recordings, guint i);

/* Appends their profiles (struct itp_memory_profile), owned by the recordings, after they were
 * read. They can be sent once. */
void itp_recordings_add_profiles(const struct itp_recordings *recordings, GArray *profiles);

#endif
