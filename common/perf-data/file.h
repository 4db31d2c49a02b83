/* SPDX-License-Identifier: MIT */
/*
 * The perf.data file as memory: header, attributes and bounds of records.
 *
 * Nothing in the file is believed: every offset and size is checked against the file before use.
 * Meanings of records are left to sample.c and reader.c, feature sections to feature.c. Layout:
 * perf's tools/perf/Documentation/perf.data-file-format.txt and perf_event_open(2).
 */
#ifndef ITP_PERF_DATA_FILE_H
#define ITP_PERF_DATA_FILE_H

#include "common/base/error.h"
#include "common/elf/file-map.h"

/* Type, misc and size in front of every record. */
#define ITP_PERF_RECORD_HEADER_BYTES 8

/* Size of a field of fixed size. */
#define ITP_PERF_FIELD_BYTES 8

/* Places of fields shared by all records of an attribute; -1 for missing fields. */
struct itp_perf_layout {
	/* In samples: bytes from the beginning of the record's body. */
	int sample_ip;
	int sample_id;
	int sample_tid;
	int sample_time;
	int sample_cpu;
	int sample_period;
	/* Size of all fields before the fields of varying size. */
	int sample_fixed;
	/* In other records: bytes back from the end of the body. */
	int trailer_id;
	int trailer_time;
	int trailer_tid;
	int trailer_cpu;
};

/* The used part of a struct perf_event_attr. */
struct itp_perf_attr {
	uint32_t type;
	uint64_t config;
	uint64_t sample_type;
	uint64_t read_format;
	uint64_t branch_sample_type;
	/* Mask of user registers in samples. */
	uint64_t user_registers;
	/* Mask of the registers at the event itself in samples. */
	uint64_t interrupt_registers;
	/* 0 when the kernel's default held. */
	uint32_t max_stack;
	/* Samples come at about equal distances of CPU time; and the distance, in ns or cycles, if
	 * samples do not tell. */
	bool is_timer;
	uint64_t period;
	/* The event counts ns; or, for other timers, ns between two samples, 0 when unknown. */
	bool is_clock;
	int64_t interval_ns;
	/* Other records than samples carry a trailer. */
	bool has_trailer;
	/* PERF_RECORD_SWITCH is recorded. */
	bool has_switches;
	/* Threads made by the recorded ones have events of their own, which end with them. */
	bool is_inherited;
	/* Times are CLOCK_MONOTONIC. */
	bool is_monotonic;
	/* The kernel did not follow the user's part of chains: the writer of the recording has
	 * unwound it, and ended it with 0 if short of the thread's first function. */
	bool is_unwound;
	/* User parts of stacks come later than their samples. */
	bool has_deferred_chains;
	struct itp_perf_layout layout;
};

struct itp_perf_record {
	uint32_t type;
	uint16_t misc;
	/* Place in the file of the record's header, or of the compressed record around it. */
	uint64_t offset;
	/* Place for itp_perf_records_get(). */
	uint64_t position;
	/* Behind the header. */
	struct itp_bytes body;
};

struct itp_pipe_layout;
/* Copy of a recording that is still being written (growing.h). */
struct itp_growing {
	/* Mapping of the copy. Owned by this. */
	uint8_t *memory;
	/* Weak. */
	int from;
	/* Owned by this. */
	int copy;
	/* The other end has closed the pipe. */
	bool at_end;
};

#define ITP_PERF_FOUND_ATTRS 64

/* Begin of feature sections in front of the data, at the place that the header has for event types:
 * behind it come a word of bits and the table. By recorders of this project. */
#define ITP_PERF_EARLY_MAGIC UINT64_C(0x796c726165707469)

struct itp_perf_file {
	/* The whole file, as far as present. Weak. */
	struct itp_bytes image;
	/* Memory of `image`; nothing for an empty part. Owned by this. */
	struct itp_file_map map;
	/* Memory of a file still being written, in place of `map`. Owned by this. */
	struct itp_growing *growing;
	/* struct itp_perf_attr, at least one. Owned by this. */
	GArray *attrs;
	/* Event id to index of its attribute plus one. Owned by this. */
	GHashTable *attr_by_id;
	/* Records lie in [data_begin, data_end) of the file. */
	uint64_t data_begin;
	uint64_t data_end;
	/* The header lacks the end of the records: the recorder did not come to its end. */
	bool is_unfinished;
	/* Bits of the feature sections, and offset of the table of their places: behind the data;
	 * of an unfinished recording, at the beginning, if its recorder wrote them there. */
	uint64_t features[4];
	uint64_t features_begin;
	/* Contents of the sections in the pipe layout, else NULL. Owned by this. */
	struct itp_pipe_layout *pipe;
	/* Further files with records, struct itp_perf_file *, one for each buffer of a directory,
	 * in order; NULL for all other recordings. Owned by this. */
	GPtrArray *parts;
	/* Name of a part in its directory, else NULL. A part has records from its first byte to its
	 * last, and shares the recording's attributes. Owned by this. */
	char *part_name;
	/* 0, or the error to be reported once everything present was read. */
	int damage;
	/* Begin of the memory not yet given back to the system, and the steps of giving back. */
	uint64_t released;
	uint64_t forget_bytes;
	/* Attributes found before, by the last bits of their event ids, with the ids; id 0 in empty
	 * places. Events of a few kinds on a few CPUs alternate, and their ids are neighbours. */
	struct {
		uint64_t id;
		uint32_t attr;
	} found[ITP_PERF_FOUND_ATTRS];
};

#define ITP_PERF_MAGIC_BYTES 8

/* True when `bytes` begin a perf.data file, of either layout and byte order. */
bool itp_perf_file_has_magic(const uint8_t *bytes);

/* Opens and checks `path`. On error the file is released; errno is set for ITP_ERROR_IO. Recordings
 * of big-endian machines: ITP_ERROR_BIG_ENDIAN. */
int itp_perf_file_init(struct itp_perf_file *file, const char *path);
/* Makes one of the `count` parts of `file`; takes the descriptor, of a regular file, also on error.
 * Errors as above. */
int itp_perf_file_init_part(struct itp_perf_file *part, const struct itp_perf_file *file,
			    int descriptor, size_t count);
/* Opens the pipe `from` while perf writes into it. Waits until perf has told the recorded events.
 * Errors as above. */
int itp_perf_file_init_growing(struct itp_perf_file *file, int from);
void itp_perf_file_release(struct itp_perf_file *file);

/* Adds the attribute at the begin of `attr`, for events with `ids`. Returns 0, ITP_ERROR_CORRUPT or
 * ITP_ERROR_LIMIT. */
int itp_perf_file_add_attr(struct itp_perf_file *file, const struct itp_bytes *attr,
			   const struct itp_bytes *ids);

const struct itp_perf_attr *itp_perf_file_attr(const struct itp_perf_file *file, uint32_t i);

/* Index of the attribute of the event `id`; false for unknown ids. */
bool itp_perf_file_find_attr(struct itp_perf_file *file, uint64_t id, uint32_t *ret_i);

/* ITP_ERROR_CHANGED when the file has become shorter since it was opened, as its last contents may
 * then be zeros; else `error`. */
static inline int itp_perf_file_check(const struct itp_perf_file *file, int error)
{
	return itp_file_map_has_changed(&file->map) ? ITP_ERROR_CHANGED : error;
}

/* The record at `offset`, and the place of the next. Returns 1; 0 at the end of the data; or an
 * error without a whole record. */
int itp_perf_file_record(const struct itp_perf_file *file, uint64_t offset,
			 struct itp_perf_record *ret_record, uint64_t *ret_next);

/* Gives back the memory of records before `offset`, hardly needed again. They stay readable. */
void itp_perf_file_forget(struct itp_perf_file *file, uint64_t offset);
/* The records are read once more from the beginning. */
void itp_perf_file_rewind(struct itp_perf_file *file);

#endif
