/* SPDX-License-Identifier: MIT */
/*
 * One thread: its open stack, its system call, and how its time is spent.
 *
 * Decides whether a stack can be believed (rule 5) and hands it to continuity.h in the shape that
 * boundary.h gives it. Which thread an event belongs to is infer.c's business.
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
	/* Just made. It waits for a CPU, if switches are recorded: which the first one tells. */
	ITP_THREAD_MADE,
};

/* A function was seen below different others, or below itself as well. */
#define ITP_CALLED_BY_SEVERAL UINT32_MAX

/* What is known of the stacks below one process root. */
struct itp_image {
	/* The process root's function. */
	uint32_t function;
	/* Function id → the time (int64_t) at which it was first seen called by another. A stack
	 * cannot begin with such a function. Owned by this. */
	GHashTable *below;
	/* Function id → the function that called it, or ITP_CALLED_BY_SEVERAL. Owned by this. */
	GHashTable *callers;
};

/* A wait whose end did not tell what it was for, and that the thread may go on with. */
struct itp_unsettled_wait {
	/* From when it first began until it last ended; −1 and whatever, when there is none. */
	int64_t begin_ns;
	int64_t end_ns;
	/* In which the thread waited; ITP_FUNCTION_UNKNOWN when that is not known. */
	uint32_t syscall;
	struct itp_doing doing;
	/* What was counted for it as ITP_WAKER_RAN, and as ITP_WAKER_KEPT, if anything was. */
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
	/* Time of the last switch-out, before the first one when it was made, and of the last
	 * wakeup, -1 before the first of these. */
	int64_t switch_out_ns;
	int64_t wakeup_ns;
	/* It left the CPU as its control group's quota was used up (throttle.h). */
	bool is_throttled;
	/* Until when its stretches were told (stretches.h). */
	int64_t told_ns;
	/* Root frame of the last complete stack; ITP_FUNCTION_UNKNOWN before. */
	uint32_t root_function;
	/* How many more stacks had that root than fitted nowhere, up to a limit. At 0 the root is
	 * not believed any more, and every stack counts as it is. */
	uint32_t root_trust;
	/* How many frames above the process root all complete stacks with that root have kept;
	 * UINT32_MAX before the second one. */
	uint32_t lasting_frames;
	/* The open stack has callers that are not known, or had them since the last complete one.
	 */
	bool misses_callers;
	/* A broken stack has fitted nowhere since a system call ended, and no other stack was seen.
	 */
	bool is_astray;
	/* A complete stack had more than one user frame. */
	bool is_deep;
	/* Function entries that were not followed because the stack was too deep. */
	uint32_t too_deep;
	/* The last stack that was accepted was taken in the system call in which the thread has
	 * been since; or there was none yet, so that one may have begun earlier. */
	bool is_in_kernel;
	/* The last begin or end of a system call. */
	int64_t edge_ns;
	enum itp_event_kind edge_kind;
	/* The last event was a switch-out whose stack is the open one. */
	bool is_parked;
	/* Owned by this. */
	struct itp_activity *activity;
	/* What the thread was doing by its last stack; unknown before there is one. */
	struct itp_doing shown;
	struct itp_unsettled_wait unsettled;
	/* The latest waits of the thread, for those who waited for it meanwhile. Weak. */
	struct itp_wait_history *waits;
	/* Of a process's first thread: the context that made it, ITP_CONTEXT_ROOT where that is not
	 * known; since when it has run its program, and whether that is another than it began with.
	 */
	uint32_t started_by;
	/* It was there before the recording, as far as is known. */
	bool was_there;
	/* The process that made it, 0 where that is not known. */
	int32_t maker_pid;
	int64_t program_ns;
	bool has_other_program;
	/* Who ended the waits that began with a stack that was not accepted: the next one that is
	 * will tell what had been waiting. NULL until there is one. Owned by this. */
	struct itp_wakers *unplaced;
};

/* What the threads of one recording share. */
struct itp_thread_context {
	struct itp_continuity_rules rules;
	/* Weak. */
	const struct itp_function_table *functions;
	/* Owned by this. */
	struct itp_boundary *boundary;
	/* Owned by this. */
	struct itp_wakers *wakers;
	struct itp_infer_counts counts;
	/* NULL where nobody wants to know. Gets the rules' data. */
	itp_stretch_func on_stretch;
	itp_unplaced_func on_unplaced;
	/* Frames of the stack at hand, and of one that broken.h completes: struct itp_frame.
	 * Owned by this. */
	GArray *frames;
	GArray *lent_frames;
	/* Whose loss the waits are. Owned by this. */
	struct itp_demand *demand;
	/* Time of the first switch event; INT64_MAX before. */
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

/* The context in which the thread makes a process now, ITP_CONTEXT_ROOT where that is not known. */
uint32_t itp_thread_making(const struct itp_thread *thread);

/* Lets the thread's clock run until `time_ns`; it was heard of then. */
void itp_thread_advance(struct itp_thread *thread, int64_t time_ns);

/* One event of the thread that shows its stack (system calls, switch-out, sample). */
void itp_thread_observe(struct itp_thread *thread, struct itp_thread_context *context,
			const struct itp_stack_event *event);

/* Depth of the open frame of the thread's system call, 0 when it is not open. */
uint32_t itp_thread_syscall_depth(const struct itp_thread *thread);

void itp_thread_switch_in(struct itp_thread *thread, const struct itp_thread_context *context);

/* The thread may run again. Returns whether it was blocked: what was the end of that is then to be
 * told with itp_thread_count_waker(), before the thread's next event. */
bool itp_thread_wake(struct itp_thread *thread);
/* `waker` says who; role, node, count and time are set here. */
void itp_thread_count_waker(struct itp_thread *thread, const struct itp_thread_context *context,
			    struct itp_waker *waker);

/* Since when the thread has been waiting for a CPU; −1 if it has not. */
int64_t itp_thread_waits_since(const struct itp_thread *thread);
/* One that had that CPU meanwhile, to be told before itp_thread_switch_in(). The node is set here:
 * where the thread waits, or will be known to have waited. */
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

/* Lets the thread's clock run until `time_ns`, when it was not heard of. Where it left the CPU, it
 * still stands. */
void itp_thread_pass(struct itp_thread *thread, const struct itp_continuity_rules *rules,
		     int64_t time_ns);

/* Closes everything, the process root included: the thread is gone. */
void itp_thread_end(struct itp_thread *thread, const struct itp_thread_context *context,
		    uint32_t flags);

#endif
