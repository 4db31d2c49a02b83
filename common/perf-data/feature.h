/* SPDX-License-Identifier: MIT */
/*
 * Feature sections of perf.data: facts of the recording about itself.
 *
 * They lie behind the records, so a recording that was killed or cut has none; translate.c then
 * takes some of them from the running kernel.
 */
#ifndef ITP_PERF_DATA_FEATURE_H
#define ITP_PERF_DATA_FEATURE_H

#include "common/perf-data/file.h"
#include "common/perf-data/record-types.h"

/* Checks that all sections lie in the file, or notes the fault in the file's damage. */
void itp_perf_features_check(struct itp_perf_file *file);

/* Contents of a section; empty when missing. */
struct itp_bytes itp_perf_feature(const struct itp_perf_file *file, enum itp_feature feature);

/* A feature with a string, or with several, joined by blanks; valid UTF-8. NULL when missing. Owned
 * by the caller. */
char *itp_perf_feature_string(const struct itp_perf_file *file, enum itp_feature feature);
char *itp_perf_feature_strings(const struct itp_perf_file *file, enum itp_feature feature);

/* Names of the recorded events, joined by blanks; otherwise as above. */
char *itp_perf_feature_events(const struct itp_perf_file *file);

/* Nanoseconds from 1970 to the zero of the recording's times; false when the recording does not
 * tell (it does when made with `perf record -k`). */
bool itp_perf_feature_epoch(const struct itp_perf_file *file, int64_t *ret_offset_ns);

struct itp_perf_build_id {
	/* Weak. */
	const char *path;
	const uint8_t *bytes;
	size_t size;
	bool is_kernel;
};

/* Takes the next entry off the build-id section. */
bool itp_perf_build_id_next(struct itp_bytes *section, struct itp_perf_build_id *ret_build_id);

#endif
