/* SPDX-License-Identifier: MIT */
/*
 * A perf.data file while it is written: header, attributes, records packed by zstd in rounds, and
 * the recording's features: formats of its tracepoints, host, command. These stand at the end,
 * where perf wants them, and at the beginning, for a recorder that is killed: readers then take
 * records up to the end of the file.
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

/* Writes to `path`, for `command`, what was typed; a recording that is there becomes `path`.old.
 * NULL with an error when that is not possible. */
struct itp_recorder_output *itp_recorder_output_new(const char *path,
						    const struct itp_recorder_output_event *events,
						    guint event_count, char *const *command,
						    GError **error);
void itp_recorder_output_free(struct itp_recorder_output *output);

/* A record with its header, whose size is right. */
void itp_recorder_output_write(struct itp_recorder_output *output, const void *record);

/* All records that come later are later than those before the last round. */
void itp_recorder_output_end_round(struct itp_recorder_output *output);

/* Something could not be written: the error is what itp_recorder_output_finish() will say. */
bool itp_recorder_output_has_failed(const struct itp_recorder_output *output);

/* Completes the file; `command` as before. False with an error when something could not be
 * written. */
bool itp_recorder_output_finish(struct itp_recorder_output *output, char *const *command,
				GError **error);

#endif
