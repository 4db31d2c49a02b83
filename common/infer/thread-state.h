/* SPDX-License-Identifier: MIT */
/*
 * State of a thread, and the state shared by all threads of a recording (thread.h).
 */
#ifndef ITP_INFER_THREAD_STATE_H
#define ITP_INFER_THREAD_STATE_H

#include "common/infer/activity.h"
#include "common/infer/boundary.h"
#include "common/infer/continuity.h"
#include "common/infer/demand.h"
#include "common/infer/stretch.h"
#include "common/infer/wakers.h"

enum itp_thread_state {
	ITP_THREAD_STATE_UNKNOWN = 0,
	ITP_THREAD_RUNNING,
	ITP_THREAD_BLOCKED,
	ITP_THREAD_RUNNABLE,
	/* Just made. It waits for a CPU, if switches are recorded: the first one tells. */
	ITP_THREAD_MADE,
};

/* A function was seen below different others, or below itself as well. */
#define ITP_CALLED_BY_SEVERAL UINT32_MAX

/* Knowledge of the stacks below a process root. */
struct itp_image {
	/* The process root's function. */
	uint32_t function;
	/* Function id → time (int64_t) of its first sight below a caller. A stack cannot begin with
	 * such a function. Owned by this. */
	GHashTable *below;
	/* Function id → its caller, or ITP_CALLED_BY_SEVERAL. Owned by this. */
	GHashTable *callers;
};

/* Wait whose end did not tell its aim, and which may go on. */
struct itp_unsettled_wait {
	/* First begin and last end; −1 and anything, without one. */
	int64_t begin_ns;
	int64_t end_ns;
	/* System call of the wait; ITP_FUNCTION_UNKNOWN when unknown. */
	uint32_t syscall;
	struct itp_doing doing;
	/* Counts made for it as ITP_WAKER_RAN, and as ITP_WAKER_KEPT, if any. */
	struct itp_waker counted;
};

struct itp_thread {
	struct itp_open_stack stack;
	/* Weak. */
	struct itp_image *image;
	struct itp_syscall_state syscall;
	enum itp_thread_state state;
	/* The thread's clock: time and its use until then. */
	struct itp_moment now;
	/* Time of the last switch-out, before the first one of the thread's making, and of the last
	 * wakeup, -1 before the first. */
	int64_t switch_out_ns;
	int64_t wakeup_ns;
	/* Thread left the CPU as its control group's quota was used up (throttle.h). */
	bool is_throttled;
	/* Until when its stretches were told (stretches.h). */
	int64_t told_ns;
	/* Root frame of the last complete stack; ITP_FUNCTION_UNKNOWN before. */
	uint32_t root_function;
	/* How many more stacks had that root than fitted nowhere, up to a limit. At 0 the root is
	 * not believed any more, and every stack counts as it is. */
	uint32_t root_trust;
	/* Frames above the process root kept by all complete stacks with this root; UINT32_MAX
	 * before the second one. */
	uint32_t lasting_frames;
	/* Open stack has unknown callers, or had them since the last complete one. */
	bool misses_callers;
	/* A broken stack has fitted nowhere since a system call ended, and no other stack was seen.
	 */
	bool is_astray;
	/* A complete stack had more than one user frame. */
	bool is_deep;
	/* Function entries not followed because the stack was too deep. */
	uint32_t too_deep;
	/* Last accepted stack was taken in the system call in which the thread has been since; or
	 * there was none yet, and a call may have begun earlier. */
	bool is_in_kernel;
	/* The last begin or end of a system call. */
	int64_t edge_ns;
	enum itp_event_kind edge_kind;
	/* Last event was a switch-out whose stack is the open one. */
	bool is_parked;
	/* Owned by this. */
	struct itp_activity *activity;
	/* Doing of the thread by its last stack; unknown before the first. */
	struct itp_doing shown;
	struct itp_unsettled_wait unsettled;
	/* Latest waits of the thread, for threads that waited for it meanwhile. Weak. */
	struct itp_wait_history *waits;
	/* Of a process's first thread: the context that made it, ITP_CONTEXT_ROOT where unknown;
	 * begin of its program, and whether it began with another. */
	uint32_t started_by;
	/* Thread is older than the recording, as far as is known. */
	bool was_there;
	/* Process that made it, 0 where unknown. */
	int32_t maker_pid;
	int64_t program_ns;
	bool has_other_program;
	/* Enders of waits that began with a stack that was not accepted: the next accepted stack
	 * tells the waiting function. NULL until there is one. Owned by this. */
	struct itp_wakers *unplaced;
};

/* Shared by the threads of a recording. */
struct itp_thread_context {
	struct itp_continuity_rules rules;
	/* Weak. */
	const struct itp_function_table *functions;
	/* Owned by this. */
	struct itp_boundary *boundary;
	/* Owned by this. */
	struct itp_wakers *wakers;
	struct itp_infer_counts counts;
	/* NULL without interest. Gets the rules' data. */
	itp_stretch_func on_stretch;
	itp_unplaced_func on_unplaced;
	/* Frames of the stack at hand, and of a stack completed by broken.h: struct itp_frame.
	 * Owned by this. */
	GArray *frames;
	GArray *lent_frames;
	/* Losers of time by the waits. Owned by this. */
	struct itp_demand *demand;
	/* Time from which switches are known to be recorded: the first of them, or INT64_MIN where
	 * the recording says so; INT64_MAX before. */
	int64_t first_switch_ns;
};

#endif
