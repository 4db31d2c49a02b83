/* SPDX-License-Identifier: MIT */
/*
 * Reading of a recording: options, description of the recording by itself, and counts of failures.
 */
#ifndef ITP_PERF_DATA_READER_VALUES_H
#define ITP_PERF_DATA_READER_VALUES_H

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

#endif
