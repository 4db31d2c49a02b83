/* SPDX-License-Identifier: MIT */
/*
 * perf.data files as a sequence of stack events in time order.
 *
 * The parts are listed in perf-data.h. Threads and their stacks are common/stacks' business, shared
 * with other tracers' events; symbols are looked up by common/symbol; nothing is inferred here.
 */
#ifndef ITP_PERF_DATA_READER_H
#define ITP_PERF_DATA_READER_H

#include "common/perf-data/reader-values.h"

struct itp_perf_reader;

/* Opens and checks `path`. `functions` is weak and must outlive the result; functions are interned
 * on the way. On error, NULL with *ret_error set; errno is set for ITP_ERROR_IO. */
struct itp_perf_reader *itp_perf_reader_new(const char *path,
					    const struct itp_perf_options *options,
					    struct itp_function_table *functions,
					    enum itp_error *ret_error);
/* Opens `path` likewise; on error, *ret_part is the faulty file of the directory `path`, or NULL;
 * owned by the caller. */
struct itp_perf_reader *itp_perf_reader_open(const char *path,
					     const struct itp_perf_options *options,
					     struct itp_function_table *functions,
					     enum itp_error *ret_error, char **ret_part);
void itp_perf_reader_free(struct itp_perf_reader *reader);

/* The next event in time order. Returns 1 with *ret_event set, whose pointers are valid until the
 * next call; 0 at the end; or a negative itp_error, for a growing recording perhaps
 * ITP_ERROR_AGAIN: nothing has come yet. A file that ends too early first yields all its events,
 * then one ITP_EVENT_LOSS with ITP_LOSS_CUT, then ITP_ERROR_TRUNCATED; a contradictory record
 * likewise, then ITP_ERROR_CORRUPT; and a file whose last compressed record is full and ends in the
 * middle of a record, as perf 6.1 writes now and then, likewise, without an error. */
int itp_perf_reader_next(struct itp_perf_reader *reader,
			 struct itp_stack_event *ret_event) G_GNUC_WARN_UNUSED_RESULT;

/* After ITP_ERROR_AGAIN: nothing has happened until `time_ns` of CLOCK_MONOTONIC except for events
 * already here; later events with an earlier time get `time_ns`. False when held back events may be
 * ready, and when the recording has another clock. */
bool itp_perf_reader_pass(struct itp_perf_reader *reader, int64_t time_ns);

/* The file, by its name in the recording's directory or NULL for the recording itself, and the byte
 * offset in it of the last record read, and of the last error. */
const char *itp_perf_reader_part(const struct itp_perf_reader *reader);
uint64_t itp_perf_reader_offset(const struct itp_perf_reader *reader);
uint64_t itp_perf_reader_file_size(const struct itp_perf_reader *reader);

/* Bytes read, and size, of all files together. */
uint64_t itp_perf_reader_done_bytes(const struct itp_perf_reader *reader);
uint64_t itp_perf_reader_total_bytes(const struct itp_perf_reader *reader);

/* Description of the recording. Times are nanoseconds of its clock, CLOCK_MONOTONIC or another. */
const struct itp_perf_description *itp_perf_reader_description(
	const struct itp_perf_reader *reader);
/* The kinds of events to be recorded, whether any came: enum itp_watched. */
uint32_t itp_perf_reader_watched(const struct itp_perf_reader *reader);
bool itp_perf_reader_tells_containers(const struct itp_perf_reader *reader);
const struct itp_perf_counts *itp_perf_reader_counts(const struct itp_perf_reader *reader);

/* Warns about missing names so far, the kernel's first. */
void itp_perf_reader_warnings(const struct itp_perf_reader *reader,
			      itp_symbol_warning_function function, void *data);

/* True when `path` is a regular file that begins like a perf.data file (either layout), or a
 * directory with such a file. */
bool itp_perf_reader_probe(const char *path);

#endif
