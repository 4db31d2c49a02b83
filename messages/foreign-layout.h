/* SPDX-License-Identifier: MIT */
/*
 * What the event classes of other tracers mean, by their fields.
 *
 *   perf      `perf data convert --to-ctf --all`: perf_callchain, perf_tid, perf_mmap2 …
 *   LTTng     kernel events with the contexts callstack_kernel and callstack_user
 *   LTTng-UST function entries and exits (lttng_ust_cyg_profile), and what says where files lie
 *
 * A class is what its name says only if it has the fields that go with the name. Whatever else
 * carries a stack is a sample.
 */
#ifndef ITP_MESSAGES_FOREIGN_LAYOUT_H
#define ITP_MESSAGES_FOREIGN_LAYOUT_H

#include "messages/foreign-field.h"

/* With the arguments that an event of this role has, in their order. */
enum itp_foreign_role {
	/* The event means nothing here. */
	ITP_FOREIGN_OTHER,
	ITP_FOREIGN_SAMPLE,
	/* for how much time it stands, in nanoseconds or not; of a timer that does not tell,
	 * nothing */
	ITP_FOREIGN_CLOCK_TICK,
	ITP_FOREIGN_TICK,
	ITP_FOREIGN_EVEN_TICK,
	/* number; what it returned. Where the number is missing, `call` names the system call. */
	ITP_FOREIGN_SYSCALL_ENTER,
	ITP_FOREIGN_SYSCALL_EXIT,
	ITP_FOREIGN_NAMED_SYSCALL_ENTER,
	/* what it returned */
	ITP_FOREIGN_NAMED_SYSCALL_EXIT,
	/* state of the thread that leaves; tid and name of the next one */
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
	/* of the innermost function */
	ITP_FOREIGN_ANY_FUNCTION_EXIT,
	/* where the file begins, bytes, path */
	ITP_FOREIGN_IMAGE,
	/* where the file begins, build id */
	ITP_FOREIGN_BUILD_ID,
	/* where the file begins, name of the debug file, its checksum */
	ITP_FOREIGN_DEBUG_LINK,
	/* where the file began */
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

/* Whether the trace has events of wakeups, even if none occurs. */
bool itp_foreign_has_wakeups(const bt_trace *trace);

bool itp_foreign_layout_has_stack(const struct itp_foreign_layout *layout);

#endif
