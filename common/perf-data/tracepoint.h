/* SPDX-License-Identifier: MIT */
/*
 * Fields of the tracepoints that mean something to introperf.
 *
 * perf.data carries the formats of its tracepoints as the kernel's tracefs told them;
 * libtraceevent understands these texts. They are asked once, on opening; a sample then costs
 * a load at a known place.
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
	/* A probe at the entry of a function: of a group whose name begins with
	 * ITP_PROBE_GROUP_PREFIX. */
	ITP_TRACEPOINT_CALL,
	/* Whether system calls are watched from then on (ITP_EVENT_WINDOW). */
	ITP_TRACEPOINT_WINDOW,
	/* In which system call the thread's next event is (ITP_EVENT_IN_CALL). */
	ITP_TRACEPOINT_IN_CALL,
};

#define ITP_PROBE_GROUP_PREFIX "introperf_"

/* Indexes of struct itp_tracepoint's fields. */
enum itp_tracepoint_field {
	/* All: the thread in the initial pid namespace; others show samples other numbers. */
	ITP_FIELD_COMMON_PID = 0,
	/* Number of the system call. */
	ITP_FIELD_SYSCALL = 1,
	/* What the system call returned. */
	ITP_FIELD_RESULT = 2,
	/* Of the entry to a system call, where the format has it: all words handed to the call. */
	ITP_FIELD_WORDS = 2,
	/* The woken thread. */
	ITP_FIELD_WOKEN = 1,
	/* Of a switch. */
	ITP_FIELD_PREV_STATE = 1,
	ITP_FIELD_NEXT_PID = 2,
	ITP_FIELD_NEXT_COMM = 3,
	/* Of a probe: where it is. */
	ITP_FIELD_PROBE_ADDRESS = 1,
	/* Of a window: N, and what it took. */
	ITP_FIELD_ONE_IN = 1,
	ITP_FIELD_TAKEN = 2,
};

#define ITP_TRACEPOINT_FIELDS 4

/* Where a field lies in the raw data. */
struct itp_raw_field {
	uint32_t offset;
	/* In bytes; 0 when there is no such field. */
	uint32_t size;
	bool is_signed;
};

struct itp_tracepoint {
	enum itp_tracepoint_kind kind;
	struct itp_raw_field fields[ITP_TRACEPOINT_FIELDS];
};

/* The tracepoints of all attributes, in their order; `tracing_data` is the feature section. An
 * attribute whose format is missing is ITP_TRACEPOINT_OTHER. Returns ITP_ERROR_CORRUPT when the
 * section contradicts itself; what was understood until then holds. *ret_tracepoints is owned by
 * the caller (g_free). */
int itp_tracepoints_read(const struct itp_perf_file *file, struct itp_bytes tracing_data,
			 struct itp_tracepoint **ret_tracepoints);

/* The same from the formats of the kernel that runs here; true when it shows any. */
bool itp_tracepoints_read_running(const struct itp_perf_file *file,
				  struct itp_tracepoint *tracepoints);

/* The same of the event that perf calls `name` ("sched:sched_switch", perhaps with a modifier),
 * where formats are not to be had: as kernels without patches have had it on 64-bit machines for
 * years. */
struct itp_tracepoint itp_tracepoint_usual(const char *name);

/* Number `index` of a field that is an array of 64-bit numbers; false when the array or the data
 * are too short. */
bool itp_tracepoint_element(const struct itp_raw_field *field, const struct itp_bytes *raw,
			    uint32_t index, uint64_t *ret_number);

/* A number out of a sample's raw data; false when the data are too short. */
bool itp_tracepoint_number(const struct itp_raw_field *field, const struct itp_bytes *raw,
			   int64_t *ret_number);

#endif
