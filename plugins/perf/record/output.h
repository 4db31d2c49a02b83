/* SPDX-License-Identifier: MIT */
/*
 * A perf.data file while it is written: header, attributes, records packed by zstd in rounds, and
 * at the end the recording's description of itself. An unfinished file looks as if perf was killed:
 * readers take its records up to the end of the file.
 *
 * Layout: perf's tools/perf/Documentation/perf.data-file-format.txt.
 */
#ifndef ITP_PERF_RECORD_OUTPUT_H
#define ITP_PERF_RECORD_OUTPUT_H

#include <glib.h>
#include <linux/perf_event.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct itp_recorder_output;

/* All weak. */
struct itp_recorder_output_event {
	const char *name;
	const struct perf_event_attr *attr;
	/* uint64_t. */
	const GArray *ids;
};

/* Replaces the file at `path`. NULL with an error when impossible. */
struct itp_recorder_output *itp_recorder_output_new(const char *path,
						    const struct itp_recorder_output_event *events,
						    guint event_count, GError **error);
void itp_recorder_output_free(struct itp_recorder_output *output);

/* Writes a record with its header, whose size is right. */
void itp_recorder_output_write(struct itp_recorder_output *output, const void *record);

/* Ends a round: all later records are later than those before the last round. */
void itp_recorder_output_end_round(struct itp_recorder_output *output);

/* True when something could not be written: itp_recorder_output_finish() will tell the error. */
bool itp_recorder_output_has_failed(const struct itp_recorder_output *output);

/* Completes the file. `command` is what was typed. False with an error when something could not be
 * written. */
bool itp_recorder_output_finish(struct itp_recorder_output *output, char *const *command,
				GError **error);

#endif
