/* SPDX-License-Identifier: MIT */
/*
 * Fields of the tracepoints known to introperf.
 *
 * perf.data carries the formats of its tracepoints, the texts of the kernel's tracefs;
 * libtraceevent understands them. It is asked once, on opening; a sample then costs a load at a
 * known place.
 */
#ifndef ITP_PERF_DATA_TRACEPOINT_H
#define ITP_PERF_DATA_TRACEPOINT_H

#include "common/perf-data/file.h"

enum itp_tracepoint_kind {
	ITP_TRACEPOINT_OTHER = 0,
	ITP_TRACEPOINT_SYS_ENTER,
	ITP_TRACEPOINT_SYS_EXIT,
	ITP_TRACEPOINT_SWITCH,
	ITP_TRACEPOINT_WAKEUP,
	/* A probe at the entry of a function: its group's name begins with
	 * ITP_PROBE_GROUP_PREFIX. */
	ITP_TRACEPOINT_CALL,
	/* Begin or end of a window in which system calls are watched (ITP_EVENT_WINDOW). */
	ITP_TRACEPOINT_WINDOW,
	/* System call of the thread's next event (ITP_EVENT_IN_CALL). */
	ITP_TRACEPOINT_IN_CALL,
	/* Process that had the CPU until the thread's next switch to it. */
	ITP_TRACEPOINT_HAD_CPU,
};

#define ITP_PROBE_GROUP_PREFIX "introperf_"

/* Indexes of struct itp_tracepoint's fields. */
enum itp_tracepoint_field {
	/* All: the thread in the initial pid namespace; others show samples other numbers. */
	ITP_FIELD_COMMON_PID = 0,
	/* Number of the system call. */
	ITP_FIELD_SYSCALL = 1,
	/* Result of the system call. */
	ITP_FIELD_RESULT = 2,
	/* Entry to a system call, if in the format: all words handed to the call. */
	ITP_FIELD_WORDS = 2,
	/* The woken thread, and, if in the format, its name. */
	ITP_FIELD_WOKEN = 1,
	ITP_FIELD_WOKEN_COMM = 2,
	/* Fields of a switch. */
	ITP_FIELD_PREV_STATE = 1,
	ITP_FIELD_NEXT_PID = 2,
	ITP_FIELD_NEXT_COMM = 3,
	/* Name of the process that had the CPU. */
	ITP_FIELD_BEFORE_COMM = 1,
	/* Address of a probe. */
	ITP_FIELD_PROBE_ADDRESS = 1,
	/* Fields of a window: N, and the part of the programs' CPU time taken by watching, in
	 * millionths. */
	ITP_FIELD_ONE_IN = 1,
	ITP_FIELD_TAKEN = 2,
};

#define ITP_TRACEPOINT_FIELDS 4

/* Place of a field in the raw data. */
struct itp_raw_field {
	uint32_t offset;
	/* Bytes; 0 for a missing field. */
	uint32_t size;
	bool is_signed;
};

struct itp_tracepoint {
	enum itp_tracepoint_kind kind;
	struct itp_raw_field fields[ITP_TRACEPOINT_FIELDS];
};

/* The tracepoints of all attributes, in their order; `tracing_data` is the feature section. An
 * attribute without a format is ITP_TRACEPOINT_OTHER. Returns ITP_ERROR_CORRUPT when the section
 * contradicts itself; everything understood until then holds. *ret_tracepoints is owned by the
 * caller (g_free). */
int itp_tracepoints_read(const struct itp_perf_file *file, struct itp_bytes tracing_data,
			 struct itp_tracepoint **ret_tracepoints);

/* Takes formats from the running kernel; true when it shows any. */
bool itp_tracepoints_read_running(const struct itp_perf_file *file,
				  struct itp_tracepoint *tracepoints);

/* The tracepoint of the event `name` in perf's spelling ("sched:sched_switch", perhaps with a
 * modifier), without a format: as in kernels without patches on 64-bit machines for years. */
struct itp_tracepoint itp_tracepoint_usual(const char *name);

/* Number `index` of a field that is an array of 64-bit numbers; false when the array or the data
 * are too short. */
bool itp_tracepoint_element(const struct itp_raw_field *field, const struct itp_bytes *raw,
			    uint32_t index, uint64_t *ret_number);

/* A number out of a sample's raw data; false when the data are too short. */
bool itp_tracepoint_number(const struct itp_raw_field *field, const struct itp_bytes *raw,
			   int64_t *ret_number);

#endif
