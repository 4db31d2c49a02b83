/* SPDX-License-Identifier: MIT */
/*
 * A perf.data file while being written: header, attributes, records packed by zstd in rounds, and
 * features of the recording: formats of its tracepoints, host, command. Features stand at the end,
 * as perf wants them, and at the beginning, for a recorder that is killed: readers then take
 * records up to the end of the file.
 *
 * Streams have the same records, on standard output, for a reader that follows: what describes them
 * is in records at the begin, and nothing is left to the end.
 *
 * Layouts: perf's tools/perf/Documentation/perf.data-file-format.txt.
 */
#ifndef ITP_PERF_RECORD_OUTPUT_H
#define ITP_PERF_RECORD_OUTPUT_H

#include <glib.h>
#include <linux/perf_event.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct itp_recorder_output;

/* Event of the recording. All pointers are weak. */
struct itp_recorder_output_event {
	const char *name;
	const struct perf_event_attr *attr;
	/* uint64_t: ids by which records name the event. */
	const GArray *ids;
};

/* Path of the stream. */
#define ITP_RECORDER_STREAM "-"

/* Begins the file at `path`; an existing recording becomes `path`.old. `command` has the typed
 * words, NULL-terminated. NULL with an error when the file cannot be opened. */
struct itp_recorder_output *itp_recorder_output_new(const char *path,
						    const struct itp_recorder_output_event *events,
						    guint event_count, char *const *command,
						    GError **error);
void itp_recorder_output_free(struct itp_recorder_output *output);

/* Appends a record, of the size told by its header. */
void itp_recorder_output_write(struct itp_recorder_output *output, const void *record);

/* Ends a round. Records written from now on must be later than all from before the ended round. */
void itp_recorder_output_end_round(struct itp_recorder_output *output);

/* True when a write has failed; itp_recorder_output_finish() tells the error. */
bool itp_recorder_output_has_failed(const struct itp_recorder_output *output);

/* Completes the file; `command` as at the begin. False with an error when any write has failed. */
bool itp_recorder_output_finish(struct itp_recorder_output *output, char *const *command,
				GError **error);

#endif
