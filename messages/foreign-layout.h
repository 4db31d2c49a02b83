/* SPDX-License-Identifier: MIT */
/*
 * Meanings of event classes of other tracers, by their fields.
 *
 *   perf      `perf data convert --to-ctf --all`: perf_callchain, perf_tid, perf_mmap2 …
 *   LTTng     kernel events with the contexts callstack_kernel and callstack_user
 *   LTTng-UST function entries and exits (lttng_ust_cyg_profile), and places of files
 *
 * A class has the meaning of its name only with the fields of the name. Any other class with a
 * stack is a sample.
 */
#ifndef ITP_MESSAGES_FOREIGN_LAYOUT_H
#define ITP_MESSAGES_FOREIGN_LAYOUT_H

#include "messages/foreign-field.h"

/* Roles of events, each with its arguments in order. */
enum itp_foreign_role {
	/* The event means nothing here. */
	ITP_FOREIGN_OTHER,
	ITP_FOREIGN_SAMPLE,
	/* time of a tick, in nanoseconds or in another unit; without, for timers that do not
	 * tell */
	ITP_FOREIGN_CLOCK_TICK,
	ITP_FOREIGN_TICK,
	ITP_FOREIGN_EVEN_TICK,
	/* number, result; without a number, `call` names the system call */
	ITP_FOREIGN_SYSCALL_ENTER,
	ITP_FOREIGN_SYSCALL_EXIT,
	ITP_FOREIGN_NAMED_SYSCALL_ENTER,
	/* result */
	ITP_FOREIGN_NAMED_SYSCALL_EXIT,
	/* state of the leaving thread; tid and name of the next thread */
	ITP_FOREIGN_SWITCH,
	/* tid of the woken thread */
	ITP_FOREIGN_WAKEUP,
	/* pid, address, path */
	ITP_FOREIGN_MAP,
	/* pid, tid, name */
	ITP_FOREIGN_COMM,
	/* pid and tid of the new thread, pid and tid of its creator */
	ITP_FOREIGN_FORK,
	/* tid */
	ITP_FOREIGN_EXEC,
	ITP_FOREIGN_EXIT,
	/* address of the function */
	ITP_FOREIGN_FUNCTION_ENTRY,
	ITP_FOREIGN_FUNCTION_EXIT,
	/* without arguments: the innermost function */
	ITP_FOREIGN_ANY_FUNCTION_EXIT,
	/* begin of the file, bytes, path */
	ITP_FOREIGN_IMAGE,
	/* begin of the file, build id */
	ITP_FOREIGN_BUILD_ID,
	/* begin of the file, name of the debug file, its checksum */
	ITP_FOREIGN_DEBUG_LINK,
	/* begin of the file, now gone */
	ITP_FOREIGN_UNLOAD,
};

#define ITP_FOREIGN_MAX_ARGUMENTS 4

struct itp_foreign_layout {
	enum itp_foreign_role role;
	struct itp_foreign_field arguments[ITP_FOREIGN_MAX_ARGUMENTS];
	/* Name of the system call, NULL for other roles. Weak: the class's. */
	const char *call;
	/* The thread of the event, and its process. */
	struct itp_foreign_field tid;
	struct itp_foreign_field pid;
	struct itp_foreign_field comm;
	/* The tracepoint's own idea of the thread, as in its arguments. */
	struct itp_foreign_field common_pid;
	/* perf's stack, with markers. */
	struct itp_foreign_field chain;
	/* LTTng's. */
	struct itp_foreign_field kernel_stack;
	struct itp_foreign_field user_stack;
	/* Arguments count threads as `tid` does. */
	bool has_same_ids;
};

struct itp_foreign_layout itp_foreign_layout_of(const bt_event_class *event_class);

/* True when the trace declares events of wakeups, even if none occurs. */
bool itp_foreign_has_wakeups(const bt_trace *trace);

bool itp_foreign_layout_has_stack(const struct itp_foreign_layout *layout);

/* True when the trace of `stream` carries stacks, or entries of functions. */
bool itp_foreign_has_stacks(const bt_stream *stream);

#endif
