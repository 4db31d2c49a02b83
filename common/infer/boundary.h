/* SPDX-License-Identifier: MIT */
/*
 * Stacks at the boundaries between user code, system calls and interrupts (design, rule 4).
 *
 * A system call becomes a frame of its own, `syscall:NAME`, between the user's frames and the
 * kernel's. The kernel's generic entry frames are dropped. What lies above an interrupt is not
 * called by the interrupted function, and what the tracer does is not the program's: both are cut
 * off. Which kernel functions play these roles is known by common/known/kernel-roles.h.
 */
#ifndef ITP_INFER_BOUNDARY_H
#define ITP_INFER_BOUNDARY_H

#include "common/base/function-table.h"
#include "common/base/stack-event.h"

struct itp_boundary;

/* `functions` is weak and must outlive the result. */
struct itp_boundary *itp_boundary_new(struct itp_function_table *functions);
void itp_boundary_free(struct itp_boundary *boundary);

bool itp_boundary_is_user(struct itp_boundary *boundary, uint32_t function);

/* True when the function goes to another stack, without its caller. */
bool itp_boundary_leaves_stack(const struct itp_boundary *boundary, uint32_t function);

/* True when the function is the first of its stack, whatever it may be called by. */
bool itp_boundary_begins_stack(const struct itp_boundary *boundary, uint32_t function);

/* The function is entered by an interrupt of the hardware. */
bool itp_boundary_is_interrupt(struct itp_boundary *boundary, uint32_t function);

/* `syscall:NAME` for the kernel's function of a system call, ITP_FUNCTION_UNKNOWN for any other
 * function. */
uint32_t itp_boundary_syscall(struct itp_boundary *boundary, uint32_t function);

/* True when the system call `function`, a `syscall:NAME`, returns to its caller, if it returns. */
bool itp_boundary_comes_back(const struct itp_boundary *boundary, uint32_t function);

/* True when the system call `function`, a `syscall:NAME`, only tells the time. */
bool itp_boundary_tells_time(const struct itp_boundary *boundary, uint32_t function);

/* Stand-in for a thread's doings while its events are missing. */
uint32_t itp_boundary_lost(struct itp_boundary *boundary);

/* Stand-in for functions missing at a stack's root. */
uint32_t itp_boundary_unknown_callers(struct itp_boundary *boundary);

/* Function that stands for missing frames in code made by the program. */
uint32_t itp_boundary_made_code(struct itp_boundary *boundary);

/* Leaves the first `count` of `frames` (struct itp_frame), or all of them if there are fewer: the
 * memory behind the last frame was written by nobody. Done for each stack, and so without a call.
 */
static inline void itp_frames_cut(GArray *frames, guint count)
{
	frames->len = MIN(frames->len, count);
}

/* System call of a thread. */
struct itp_syscall_state {
	/* Function of the `syscall:NAME` frame; ITP_FUNCTION_UNKNOWN in user mode. */
	uint32_t function;
	/* Stacks taken inside the call show kernel frames, and a stack without any proves that the
	 * thread is back in user mode. */
	bool shows_kernel;
	/* The words handed to the call, as its enter event tells them, and when that was; 0: none
	 * was seen. */
	struct itp_syscall_words words;
	int64_t enter_ns;
	/* No event told of the call, but the last stack: the next one may be in another. */
	bool is_by_stack;
	/* An event told that the next stack is in the call, whose begin nobody saw. */
	bool is_for_next;
};

/* Way between user mode and a system call, in neither of which the thread is. */
enum itp_boundary_edge {
	ITP_EDGE_NONE,
	ITP_EDGE_ENTERING,
	ITP_EDGE_LEAVING,
	/* Either way. */
	ITP_EDGE_UNCLEAR,
};

struct itp_boundary_stack {
	/* Number of frames at the root that are user code. */
	size_t user_count;
	/* An interrupt, or the tracer, lay on top of the remaining frames. */
	bool interrupted;
	bool is_recorder;
	/* The stack shows the kernel. */
	bool has_kernel;
	enum itp_boundary_edge edge;
};

/* Appends the frames of `event` that count to `frames`, a GArray of struct itp_frame, with the
 * system call of `state` at its place. Corrects `state` where the stack contradicts it: a call
 * whose entry or exit was not recorded. */
void itp_boundary_apply(struct itp_boundary *boundary, const struct itp_stack_event *event,
			struct itp_syscall_state *state, GArray *frames,
			struct itp_boundary_stack *ret_stack);

#endif
