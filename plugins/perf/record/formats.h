/* SPDX-License-Identifier: MIT */
/*
 * Events of a recording, as perf.data describes them: perf's events for introperf, and three of the
 * recorder's own (introperf:window).
 *
 * Samples are made by the recorder, not by the kernel. Their layout is its own, and told with the
 * recording, like the layout of the kernel's tracepoints. recording.c chooses the events of a
 * recording.
 */
#ifndef ITP_PERF_RECORD_FORMATS_H
#define ITP_PERF_RECORD_FORMATS_H

#include <glib.h>
#include <linux/perf_event.h>
#include <stdint.h>

enum itp_recorder_event {
	/* Records of threads and mappings. First, as all records but samples have the first event's
	 * trailer. */
	ITP_RECORDER_EVENT_SIDEBAND,
	ITP_RECORDER_EVENT_ENTER,
	ITP_RECORDER_EVENT_EXIT,
	ITP_RECORDER_EVENT_SWITCH,
	ITP_RECORDER_EVENT_WAKING,
	ITP_RECORDER_EVENT_WAKING_NEW,
	ITP_RECORDER_EVENT_FAULT,
	ITP_RECORDER_EVENT_TICK,
	/* Begin or end of a window in which system calls are watched. */
	ITP_RECORDER_EVENT_WINDOW,
	/* System call around the thread's next event, if its begin was in no window. */
	ITP_RECORDER_EVENT_IN_CALL,
	/* Thread that had the CPU until the recorded thread gets it, if not recorded itself. */
	ITP_RECORDER_EVENT_HAD_CPU,
	/* Process enters a control group. */
	ITP_RECORDER_EVENT_GROUP,
	ITP_RECORDER_EVENTS,
};

/* First fields of every tracepoint. A sample has the size of all fields in front, 4 bytes, and pads
 * both to a multiple of 8 bytes. */
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
	/* N: an instant is watched with a chance of 1 in N. 0: no instant until the next window
	 * event. */
	int64_t one_in;
	/* Part of the programs' CPU time in windows taken by watching until now, in millionths. */
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

/* Name of the event as in perf: "sched:sched_switch"; "dummy:u" for the first. */
const char *itp_recorder_event_name(enum itp_recorder_event event);

/* Attribute of an event. Not of the first, opened by sideband.h. `hertz` is the timer's frequency.
 */
struct perf_event_attr itp_recorder_event_attr(enum itp_recorder_event event, guint hertz);

/* Formats of all tracepoints: content of the feature TRACING_DATA, as perf takes them from the
 * kernel. Owned by the caller. */
GByteArray *itp_recorder_tracing_data(void);

#endif
