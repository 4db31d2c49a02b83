/* SPDX-License-Identifier: MIT */
/*
 * perf.data files as a sequence of stack events in time order.
 *
 *   directory.c   a recording that is a directory, and the files in it
 *   file.c        the mapped file: header, attributes
 *   record-bounds.c  from record to record, and what stops it
 *   pipe-layout.c what a file has in sections, out of the records of a pipe
 *   feature.c     feature sections: what the recording says about itself
 *   sample.c      fields of one record, by the attribute's sample type
 *   mapping.c     fields of a record that tells what a process has mapped
 *   records.c     all records one after the other, also out of compressed ones (zstd)
 *   rounds.c      what rounds promise, and which records are late all the same
 *   order.c       records of all buffers into one order in time, round by round
 *   merge.c       the same of all files of a directory
 *   tracepoint.c  fields of tracepoints, from the formats in the file (libtraceevent)
 *   deferred.c    user parts of stacks that come later than their samples
 *   translate.c   what each record means as stack events; samples are in events.c
 *   reader.c      opening, the loop, and how a recording ends
 *
 * Threads and their stacks are common/stacks' business, which other tracers' events share; symbols
 * are looked up by common/symbol; nothing is inferred here.
 */
#ifndef ITP_PERF_DATA_READER_H
#define ITP_PERF_DATA_READER_H

#include "common/base/error.h"
#include "common/base/function-table.h"
#include "common/base/stack-event.h"
#include "common/symbol/symbol-files.h"

struct itp_debuginfod;

struct itp_perf_options {
	/* Directory that holds the recorded machine's files, or NULL for this machine's. Weak. */
	const char *symfs;
	/* File with the recorded kernel's symbols, or NULL for the running kernel's if it is the
	 * recorded one. Weak. */
	const char *kallsyms;
	/* File with the recorded kernel's code (common/symbol/kernel-image.h), or NULL for the one
	 * that is part of the recording, if any. Weak. */
	const char *kernel;
	/* Asked for files that are not at hand, or NULL to leave the network alone. Weak. */
	struct itp_debuginfod *debuginfod;
	/* Show the names of C++ and Rust functions as in the source. */
	bool demangle;
	/* Frames have their addresses in the memory of the process, as other tools show them,
	 * rather than in the file of their module. */
	bool in_memory;
	/* Functions that stacks by frame pointers lack are put in where the code tells them. */
	bool fills;
	/* Standard input is read, while perf writes to it, and not the path. */
	bool grows;
};

/* What the recording says about itself; any string may be NULL. Owned by the reader. */
struct itp_perf_description {
	const char *hostname;
	const char *os_release;
	const char *arch;
	const char *perf_version;
	/* What to add to event times for nanoseconds since 1970, where that is known. */
	bool has_epoch;
	int64_t epoch_offset_ns;
	/* Arguments of the recording command, and names of the events, joined by blanks. */
	const char *command_line;
	const char *events;
	/* "fp" or "dwarf": how user stacks were recorded. Never NULL. */
	const char *call_graph;
};

/* What could not be done; grows while reading. */
struct itp_perf_counts {
	/* Records of a type or a shape that is not used here. */
	uint64_t skipped_records;
	/* Records that came later than the rounds of perf promise and were put where their times
	 * belong; and those for which it was too late, which have the time of their predecessor. */
	uint64_t late_records;
	uint64_t misplaced_records;
	/* Tracepoints whose formats the recording lacks; their events are plain samples. */
	uint64_t missing_formats;
	/* The recorder did not come to its end, at which it writes how much there is. */
	bool is_unfinished;
	/* Stacks whose user part was to be recorded later, and was not. */
	uint64_t missing_user_parts;
};

struct itp_perf_reader;

/* Opens and checks `path`. `functions` is weak and must outlive the result; functions are
 * interned as they are met. On error *ret_error tells which; errno is set for ITP_ERROR_IO. */
struct itp_perf_reader *itp_perf_reader_new(const char *path,
					    const struct itp_perf_options *options,
					    struct itp_function_table *functions,
					    enum itp_error *ret_error);
/* The same, which on error also tells the file of the directory `path` that it is about, or NULL;
 * owned by the caller. */
struct itp_perf_reader *itp_perf_reader_open(const char *path,
					     const struct itp_perf_options *options,
					     struct itp_function_table *functions,
					     enum itp_error *ret_error, char **ret_part);
void itp_perf_reader_free(struct itp_perf_reader *reader);

/* The next event in time order. Returns 1 with *ret_event set, whose pointers are valid until
 * the next call; 0 at the end; or a negative itp_error, which of a recording that grows may be
 * ITP_ERROR_AGAIN: there is nothing yet. A file that ends too early first yields
 * all that is there, then one ITP_EVENT_LOSS with ITP_LOSS_CUT, then ITP_ERROR_TRUNCATED; a
 * record that contradicts itself likewise, then ITP_ERROR_CORRUPT; and a file whose last
 * compressed record is full and ends in the middle of a record, as perf 6.1 writes now and then,
 * likewise, without an error. */
int itp_perf_reader_next(struct itp_perf_reader *reader,
			 struct itp_stack_event *ret_event) G_GNUC_WARN_UNUSED_RESULT;

/* After ITP_ERROR_AGAIN: nothing has happened until `time_ns` of CLOCK_MONOTONIC but what has come;
 * what comes later with an earlier time gets this. False when there may be events now that were
 * held back, and when the recording has another clock. */
bool itp_perf_reader_pass(struct itp_perf_reader *reader, int64_t time_ns);

/* The file, by its name in the recording's directory or NULL for the recording itself, and the byte
 * offset in it of what was read last, and what the last error is about. */
const char *itp_perf_reader_part(const struct itp_perf_reader *reader);
uint64_t itp_perf_reader_offset(const struct itp_perf_reader *reader);
uint64_t itp_perf_reader_file_size(const struct itp_perf_reader *reader);

/* How much was read, and how much there is, of all files together. */
uint64_t itp_perf_reader_done_bytes(const struct itp_perf_reader *reader);
uint64_t itp_perf_reader_total_bytes(const struct itp_perf_reader *reader);

/* Clock of the recording is CLOCK_MONOTONIC or another: the times are nanoseconds of it. */
const struct itp_perf_description *itp_perf_reader_description(
	const struct itp_perf_reader *reader);
/* The kinds of events that were to be recorded, whether any came: enum itp_watched. */
uint32_t itp_perf_reader_watched(const struct itp_perf_reader *reader);
const struct itp_perf_counts *itp_perf_reader_counts(const struct itp_perf_reader *reader);

/* Says which names are missing in what was read until now, the kernel's first. */
void itp_perf_reader_warnings(const struct itp_perf_reader *reader,
			      itp_symbol_warning_function function, void *data);

/* True when `path` is a regular file that begins like a perf.data file (either layout), or a
 * directory with such a file. */
bool itp_perf_reader_probe(const char *path);

#endif
