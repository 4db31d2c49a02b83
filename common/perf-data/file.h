/* SPDX-License-Identifier: MIT */
/*
 * The perf.data file as memory: header, attributes and where records lie.
 *
 * Nothing in the file is believed: every offset and size is checked against the file before it
 * is followed. What a record means is left to sample.c and reader.c, feature sections to
 * feature.c. Layout: perf's tools/perf/Documentation/perf.data-file-format.txt and
 * perf_event_open(2).
 */
#ifndef ITP_PERF_DATA_FILE_H
#define ITP_PERF_DATA_FILE_H

#include "common/base/error.h"
#include "common/elf/file-map.h"

/* Type, misc and size in front of every record. */
#define ITP_PERF_RECORD_HEADER_BYTES 8

/* Where the fields that all records of an attribute share lie; -1 for those that it lacks. */
struct itp_perf_layout {
	/* In samples: bytes from the beginning of the record's body. */
	int sample_ip;
	int sample_id;
	int sample_tid;
	int sample_time;
	int sample_cpu;
	int sample_period;
	/* All that come before those of varying size. */
	int sample_fixed;
	/* In other records: bytes back from the end of the body. */
	int trailer_id;
	int trailer_time;
	int trailer_tid;
	int trailer_cpu;
};

/* What is used of a struct perf_event_attr. */
struct itp_perf_attr {
	uint32_t type;
	uint64_t config;
	uint64_t sample_type;
	uint64_t read_format;
	uint64_t branch_sample_type;
	/* Which user registers samples carry. */
	uint64_t user_registers;
	/* 0 when the kernel's default held. */
	uint32_t max_stack;
	/* Samples come at equal distances of CPU time, more or less, and how large these are, in ns
	 * or cycles, where samples do not say. */
	bool is_timer;
	uint64_t period;
	/* It counts ns; or if it counts something else, so many ns lie between two samples, 0 where
	 * nobody knows. */
	bool is_clock;
	int64_t interval_ns;
	/* Other records than samples carry a trailer. */
	bool has_trailer;
	/* PERF_RECORD_SWITCH is recorded. */
	bool has_switches;
	/* Times are CLOCK_MONOTONIC. */
	bool is_monotonic;
	/* The kernel did not follow the user's part of chains: who wrote the recording has unwound
	 * it, and ended it with 0 where it does not get to the thread's first function. */
	bool is_unwound;
	/* User parts of stacks come later than their samples. */
	bool has_deferred_chains;
	struct itp_perf_layout layout;
};

struct itp_perf_record {
	uint32_t type;
	uint16_t misc;
	/* In the file, of the record's header or of the compressed record that held it. */
	uint64_t offset;
	/* Where records.h finds it again. */
	uint64_t position;
	/* Behind the header. */
	struct itp_bytes body;
};

struct itp_pipe_layout;
struct itp_growing;

#define ITP_PERF_FOUND_ATTRS 64

struct itp_perf_file {
	/* The whole file, as far as it is there. Weak. */
	struct itp_bytes image;
	/* What that is; nothing for an empty part. Owned by this. */
	struct itp_file_map map;
	/* Instead, when it is read while it is written. Owned by this. */
	struct itp_growing *growing;
	/* struct itp_perf_attr, at least one. Owned by this. */
	GArray *attrs;
	/* Event id to index of its attribute plus one. Owned by this. */
	GHashTable *attr_by_id;
	/* Records lie in [data_begin, data_end) of the file. */
	uint64_t data_begin;
	uint64_t data_end;
	/* The header does not say where they end: the recorder did not come to its end. */
	bool is_unfinished;
	/* The feature sections that the header says there are, behind the data. */
	uint64_t features[4];
	/* What takes the sections' place in the pipe layout, else NULL. Owned by this. */
	struct itp_pipe_layout *pipe;
	/* Further files with records, struct itp_perf_file *: a recording that is a directory has
	 * one for each buffer, in their order here; NULL for all others. Owned by this. */
	GPtrArray *parts;
	/* Of such a file in its directory, else NULL. It has records from its first byte to its
	 * last, and shares the recording's attributes. Owned by this. */
	char *part_name;
	/* 0, or what is to be reported when all that is there was read. */
	int damage;
	/* What lies before was given back to the system, in steps of this size. */
	uint64_t released;
	uint64_t forget_bytes;
	/* Attributes that were found, by the last bits of their ids, and these; id 0 where there is
	 * none. Events of a few kinds on a few CPUs alternate, and their ids are neighbours. */
	struct {
		uint64_t id;
		uint32_t attr;
	} found[ITP_PERF_FOUND_ATTRS];
};

#define ITP_PERF_MAGIC_BYTES 8

/* These are the first bytes of a perf.data file, of either layout and byte order. */
bool itp_perf_file_has_magic(const uint8_t *bytes);

/* Opens and checks `path`. On error the file is released; errno is set for ITP_ERROR_IO. */
int itp_perf_file_init(struct itp_perf_file *file, const char *path);
/* Makes one of the `count` parts of `file`; takes the descriptor, of a regular file, also on error.
 * Errors as above. */
int itp_perf_file_init_part(struct itp_perf_file *part, const struct itp_perf_file *file,
			    int descriptor, size_t count);
/* The same for the pipe `from`, into which perf writes while this is read. Waits until perf has
 * told what it records. */
int itp_perf_file_init_growing(struct itp_perf_file *file, int from);
void itp_perf_file_release(struct itp_perf_file *file);

/* Adds the attribute that `attr` begins with, whose events have these ids. Returns 0,
 * ITP_ERROR_CORRUPT or ITP_ERROR_LIMIT. */
int itp_perf_file_add_attr(struct itp_perf_file *file, const struct itp_bytes *attr,
			   const struct itp_bytes *ids);

const struct itp_perf_attr *itp_perf_file_attr(const struct itp_perf_file *file, uint32_t i);

/* Index of the attribute that the event `id` belongs to; false when there is none. */
bool itp_perf_file_find_attr(struct itp_perf_file *file, uint64_t id, uint32_t *ret_i);

/* ITP_ERROR_CHANGED when the file has become shorter since it was opened, so that what was read of
 * it last may be zeros; else `error`. */
static inline int itp_perf_file_check(const struct itp_perf_file *file, int error)
{
	return itp_file_map_has_changed(&file->map) ? ITP_ERROR_CHANGED : error;
}

/* The record at `offset`, and where the next one is. Returns 1; 0 at the end of the data; or an
 * error when there is no whole record. */
int itp_perf_file_record(const struct itp_perf_file *file, uint64_t offset,
			 struct itp_perf_record *ret_record, uint64_t *ret_next);

/* Records before `offset` will hardly be needed again: the memory that they are mapped to can
 * go. They stay readable. */
void itp_perf_file_forget(struct itp_perf_file *file, uint64_t offset);
/* The records are read once more from the beginning. */
void itp_perf_file_rewind(struct itp_perf_file *file);

#endif
