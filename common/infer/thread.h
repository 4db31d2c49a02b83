/* SPDX-License-Identifier: MIT */
/*
 * Thread: its open stack, its system call, and the use of its time.
 *
 * Decides whether a stack can be believed (rule 5) and hands it to continuity.h in the shape given
 * by boundary.h. Finding the thread of an event is infer.c's business.
 */
#ifndef ITP_INFER_THREAD_H
#define ITP_INFER_THREAD_H

#include "common/infer/activity.h"
#include "common/infer/boundary.h"
#include "common/infer/continuity.h"
#include "common/infer/demand.h"
#include "common/infer/stretch.h"

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

void itp_thread_init(struct itp_thread *thread, int32_t pid, int32_t tid);
void itp_thread_release(struct itp_thread *thread);

/* Begins the life of the thread under `image`. */
void itp_thread_begin(struct itp_thread *thread, const struct itp_thread_context *context,
		      struct itp_image *image, int64_t time_ns, bool begin_unknown);

/* The thread, whose process this was, runs another program from now on. */
void itp_thread_exec(struct itp_thread *thread, const struct itp_thread_context *context,
		     struct itp_image *image, int64_t time_ns);

/* Context in which the thread makes a process now, ITP_CONTEXT_ROOT where unknown. */
uint32_t itp_thread_making(const struct itp_thread *thread);

/* Lets the thread's clock run until `time_ns`, a sign of life. */
void itp_thread_advance(struct itp_thread *thread, int64_t time_ns);

/* Takes an event of the thread that shows its stack (system calls, switch-out, sample). */
void itp_thread_observe(struct itp_thread *thread, struct itp_thread_context *context,
			const struct itp_stack_event *event);

void itp_thread_switch_in(struct itp_thread *thread, const struct itp_thread_context *context);

/* The thread may run again. Returns whether it was blocked: its waker is then to be told with
 * itp_thread_count_waker(), before the thread's next event. */
bool itp_thread_wake(struct itp_thread *thread);
/* Counts `waker`; role, node, count and time are set here. */
void itp_thread_count_waker(struct itp_thread *thread, const struct itp_thread_context *context,
			    struct itp_waker *waker);

/* Begin of the thread's wait for a CPU; −1 without one. */
int64_t itp_thread_waits_since(const struct itp_thread *thread);
/* Adds a process that had the CPU meanwhile, to be told before itp_thread_switch_in(). The node is
 * set here: the place of the wait, now or once known. */
void itp_thread_add_waker(struct itp_thread *thread, const struct itp_thread_context *context,
			  struct itp_waker *waker);

/* Exact function traces: `frame` is entered or left. A function that is left but not open is
 * ignored. */
void itp_thread_enter(struct itp_thread *thread, struct itp_thread_context *context,
		      const struct itp_frame *frame);
void itp_thread_leave(struct itp_thread *thread, const struct itp_thread_context *context,
		      const struct itp_frame *frame);

/* The thread's next stack is in the system call `function`, of which nobody saw the begin. */
void itp_thread_be_in_call(struct itp_thread *thread, uint32_t function);

/* The end of the system call that the thread may be in will not be told. */
void itp_thread_leave_unseen(struct itp_thread *thread);

/* Rule 6: events are missing before now. */
void itp_thread_lose(struct itp_thread *thread, const struct itp_thread_context *context);

/* Lets the thread's clock run until `time_ns`, without a sign of life. A thread off the CPU still
 * stands at its place. */
void itp_thread_pass(struct itp_thread *thread, const struct itp_continuity_rules *rules,
		     int64_t time_ns);

/* Closes everything, the process root included: the thread is gone. */
void itp_thread_end(struct itp_thread *thread, const struct itp_thread_context *context,
		    uint32_t flags);

#endif
