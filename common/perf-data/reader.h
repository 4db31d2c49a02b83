/* SPDX-License-Identifier: MIT */
/*
 * perf.data files as a sequence of stack events in time order.
 *
 * The parts are listed in perf-data.h. Threads and their stacks are common/stacks' business, shared
 * with other tracers' events; symbols are looked up by common/symbol; nothing is inferred here.
 */
#ifndef ITP_PERF_DATA_READER_H
#define ITP_PERF_DATA_READER_H

#include "common/base/error.h"
#include "common/base/function-table.h"
#include "common/base/stack-event.h"
#include "common/symbol/symbol-files.h"

struct itp_debuginfod;

struct itp_perf_options {
	/* Directory with the recorded machine's files, or NULL for this machine's. Weak. */
	const char *symfs;
	/* File with the recorded kernel's symbols, or NULL for the running kernel's if it is the
	 * recorded kernel. Weak. */
	const char *kallsyms;
	/* File with the recorded kernel's code (common/symbol/kernel-image.h), or NULL for the code
	 * in the recording, if any. Weak. */
	const char *kernel;
	/* Asked for files not at hand, or NULL to leave the network alone. Weak. */
	struct itp_debuginfod *debuginfod;
	/* Show the names of C++ and Rust functions as in the source. */
	bool demangle;
	/* Functions compiled into their callers are frames, as far as debug data tells of them. */
	bool inlines;
	/* Frames have their addresses in the memory of the process, as other tools show them,
	 * rather than in the file of their module. */
	bool in_memory;
	/* Functions missing in stacks by frame pointers are put in if the code tells them. */
	bool fills;
	/* Events bear the names of containers in place of programs' names, as far as the recording
	 * tells them: itp_perf_reader_tells_containers(). */
	bool names_containers;
	/* Standard input is read, while perf writes to it, and not the path. */
	bool grows;
};

/* Facts of the recording about itself; any string may be NULL. Owned by the reader. */
struct itp_perf_description {
	const char *hostname;
	const char *os_release;
	const char *arch;
	const char *perf_version;
	/* Nanoseconds to be added to event times for times since 1970, if known. */
	bool has_epoch;
	int64_t epoch_offset_ns;
	/* Arguments of the recording command, and names of the events, joined by blanks. */
	const char *command_line;
	const char *events;
	/* "fp" or "dwarf": how user stacks were recorded. Never NULL. */
	const char *call_graph;
};

/* Counts of failures; they grow while reading. */
struct itp_perf_counts {
	/* Records of an unused type or shape. */
	uint64_t skipped_records;
	/* Records later than perf's rounds promise, put in the place of their times; and records
	 * too late for it, with the time of their predecessor. */
	uint64_t late_records;
	uint64_t misplaced_records;
	/* Tracepoints whose formats the recording lacks; their events are plain samples. */
	uint64_t missing_formats;
	/* The recorder did not come to its end, when it writes the size of its data. */
	bool is_unfinished;
	/* Stacks whose user part was to be recorded later, and was not. */
	uint64_t missing_user_parts;
};

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
