/* SPDX-License-Identifier: MIT */
/*
 * The events of a recording: the same that perf records for introperf, as perf.data describes them.
 *
 * Samples are made here and not by the kernel, so their layout is this recorder's own: it is told
 * with the recording, as that of the kernel's tracepoints is.
 */
#ifndef ITP_PERF_RECORD_FORMATS_H
#define ITP_PERF_RECORD_FORMATS_H

#include <glib.h>
#include <linux/perf_event.h>
#include <stdint.h>

enum itp_recorder_event {
	/* First, as records that are no samples have the first event's trailer. */
	ITP_RECORDER_EVENT_SIDEBAND,
	ITP_RECORDER_EVENT_ENTER,
	ITP_RECORDER_EVENT_EXIT,
	ITP_RECORDER_EVENT_SWITCH,
	ITP_RECORDER_EVENT_WAKING,
	ITP_RECORDER_EVENT_WAKING_NEW,
	ITP_RECORDER_EVENT_FAULT,
	ITP_RECORDER_EVENT_TICK,
	/* From here on system calls are watched, or are not. */
	ITP_RECORDER_EVENT_WINDOW,
	/* In which system call the thread's next event is, where its begin was in no window. */
	ITP_RECORDER_EVENT_IN_CALL,
	/* Process that had the CPU until the thread gets it, where it is none of the recording's.
	 */
	ITP_RECORDER_EVENT_HAD_CPU,
	ITP_RECORDER_EVENTS,
};

/* Behind the size of a tracepoint's fields, which makes them end at a multiple of 8 bytes. */
struct itp_recorder_common {
	uint16_t type;
	uint8_t flags;
	uint8_t preempt_count;
	int32_t pid;
};

struct itp_recorder_enter {
	struct itp_recorder_common common;
	int64_t id;
	uint64_t args[6];
};

struct itp_recorder_exit {
	struct itp_recorder_common common;
	int64_t id;
	int64_t ret;
};

struct itp_recorder_switch {
	struct itp_recorder_common common;
	char prev_comm[16];
	int32_t prev_pid;
	int32_t prev_prio;
	int64_t prev_state;
	char next_comm[16];
	int32_t next_pid;
	int32_t next_prio;
};

struct itp_recorder_waking {
	struct itp_recorder_common common;
	char comm[16];
	int32_t pid;
	int32_t prio;
	int32_t target_cpu;
	int32_t unused;
};

struct itp_recorder_window_fields {
	struct itp_recorder_common common;
	/* Instants of which one is watched; 0: none is, until the next such event. */
	int64_t one_in;
	/* Millionths of the programs' CPU time that were taken in windows until now. */
	int64_t taken_ppm;
};

struct itp_recorder_in_call {
	struct itp_recorder_common common;
	int64_t id;
};

struct itp_recorder_had_cpu {
	struct itp_recorder_common common;
	char comm[16];
	int32_t pid;
	int32_t unused;
};

/* As perf calls it; "dummy:u" for the first. */
const char *itp_recorder_event_name(enum itp_recorder_event event);

/* Attribute of an event but the first, whose attribute is the kernel's; `hertz` ticks a second. */
struct perf_event_attr itp_recorder_event_attr(enum itp_recorder_event event, guint hertz);

/* The fields of all tracepoints, as perf has them of the kernel (the feature TRACING_DATA). Owned
 * by the caller. */
GByteArray *itp_recorder_tracing_data(void);

#endif
