/* SPDX-License-Identifier: MIT */
/*
 * Open frames of a thread (paper, Algorithm 2): the process root at depth 0, then the frames of the
 * last accepted stack, which share its time as "last seen".
 *
 * A new stack keeps the frames that continue, found by match.h, closes the others, innermost first,
 * and opens its own. Times are left to gap.h.
 */
#ifndef ITP_INFER_CONTINUITY_H
#define ITP_INFER_CONTINUITY_H

#include "common/infer/gap.h"
#include "common/infer/infer-options.h"
#include "common/infer/strata.h"
#include "common/infer/window.h"

struct itp_open_frame {
	struct itp_frame frame;
	/* Of the context tree; its caller's node if the frame is not followed. */
	uint32_t node;
	/* enum itp_instance_flag. */
	uint32_t flags;
	/* Frame enters the kernel at its place: it was seen on the way, or its system call will be
	 * repeated. */
	bool may_enter;
	/* System call made at its place has returned. */
	bool has_come_back;
	/* The function's last stack did not show its callee. */
	bool hides_callee;
	/* Each call of its function makes a system call. */
	bool shows;
	/* A function trace told its begin, and will tell its end. */
	bool is_entered;
	/* Members of struct itp_instance. */
	bool would_block;
	struct itp_syscall_words words;
	int64_t result;
	bool has_result;
	int64_t woke_ns;
	/* Last time at which the call was certainly not there yet. */
	int64_t absent_ns;
	struct itp_moment begin;
	/* Greatest number of calls that nothing told apart; the first sight of the last of them,
	 * and the seen length of the shortest of the others. */
	uint32_t max_calls;
	int64_t run_begin_ns;
	int64_t shortest_run_ns;
	/* Likeliest begin. */
	struct itp_moment best_begin;
	/* Members of struct itp_instance. */
	uint32_t window;
	int32_t unseen_calls;
};

struct itp_open_stack {
	/* struct itp_open_frame, root first; [0] is the process root. Owned by this. */
	GArray *frames;
	/* When the frames above the process root were last seen, and when the thread was last
	 * heard of, which is when its process root was. */
	struct itp_moment seen;
	struct itp_moment heard;
	/* Time up to which owners of time are settled, and the gap since the last stack of an event
	 * other than a tick. */
	struct itp_moment settled;
	struct itp_gap_log log;
	/* Events may be missing before the next stack: frames opened by it may have begun
	 * earlier. */
	bool begin_unknown;
	/* Innermost frame made a system call, and was last seen at the call's return: such
	 * functions do little else. */
	bool is_after_call;
	/* A timer showed the last stack. */
	bool is_after_sample;
	/* Time after a stack in which the program stands still, as the tracer still writes: the
	 * shortest time ever from a system call to the next. 0 while unknown. */
	int64_t quiet_ns;
	int32_t pid;
	int32_t tid;
	/* Name of the thread, "" where that is not known. Owned by this. */
	char *name;
};

/* Shared by all stacks of a recording. All pointers are weak. */
struct itp_continuity_rules {
	enum itp_continuity continuity;
	struct itp_flow flow;
	struct itp_context_tree *tree;
	/* Nodes of the tree beyond which functions called in other contexts, with their callees,
	 * are not followed: their time is their caller's, and they are no instances. */
	uint32_t max_contexts;
	struct itp_gap *gap;
	struct itp_strata *strata;
	/* Window in which system calls are watched. */
	struct itp_window window;
	/* Nodes (uint32_t) by depth, for frames about to be opened. */
	GArray *nodes;
	/* bool by function: events tell each call of the function. */
	GArray *counted;
	itp_instance_func on_instance;
	/* May be NULL. */
	itp_call_func on_call;
	void *data;
};

/* The node of `function` called at node `caller`, or `caller` if it is not followed. */
uint32_t itp_continuity_callee(const struct itp_continuity_rules *rules, uint32_t caller,
			       uint32_t function);

/* Events tell each call of `function`, where they are watched: what stacks show of it besides is
 * part of a call that began elsewhere. */
void itp_continuity_tell_calls(const struct itp_continuity_rules *rules, uint32_t function);

void itp_open_stack_init(struct itp_open_stack *stack, int32_t pid, int32_t tid);
void itp_open_stack_release(struct itp_open_stack *stack);

/* The thread is called `name` from now on; "" tells nothing. */
void itp_open_stack_set_name(struct itp_open_stack *stack, const char *name);

/* Opens the process root, `function`, as the only frame. */
void itp_open_stack_begin(struct itp_open_stack *stack, const struct itp_continuity_rules *rules,
			  uint32_t function, const struct itp_moment *now, bool begin_unknown);

/* Change from the open stack to the next one: frames before `sure` go on for certain, frames before
 * `keep` are taken to go on, although their callers may have called again. Frames behind are closed
 * and opened anew; of these, the `prompt` innermost have just begun. */
struct itp_transition {
	uint32_t sure;
	uint32_t keep;
	uint32_t prompt;
	/* Event with the next stack. */
	enum itp_gap_edge edge;
};

/* Makes `frames` the open stack at `now`. */
void itp_open_stack_replace(struct itp_open_stack *stack, const struct itp_continuity_rules *rules,
			    const GArray *frames, const struct itp_transition *transition,
			    const struct itp_moment *now);

/* Closes the frames from `depth` on, gone at `now`; `flags` are added to theirs. Frames below are
 * not seen. */
void itp_open_stack_close(struct itp_open_stack *stack, const struct itp_continuity_rules *rules,
			  uint32_t depth, const struct itp_moment *now, uint32_t flags);

/* Ends the gap at the open stack, except for a tick's stack. */
void itp_open_stack_end_gap(struct itp_open_stack *stack, const struct itp_continuity_rules *rules,
			    enum itp_gap_edge edge);

/* The open frames are still there at `now`: the thread was off the CPU since they were seen. */
void itp_open_stack_resume(struct itp_open_stack *stack, const struct itp_moment *now);

/* The open frames are most likely still there until `now`, time of the thread's next stack: the
 * thread left the CPU at the last one, and nobody tells when it was back, as in perf's recordings
 * of single threads. In all this time it counts as off the CPU, where nothing returns and nothing
 * is called. */
void itp_open_stack_stay(struct itp_open_stack *stack, const struct itp_moment *now);

/* Opens `function` below the process root, for the thread's time until its next stack: its events
 * are missing. */
void itp_open_stack_lose(struct itp_open_stack *stack, const struct itp_continuity_rules *rules,
			 uint32_t function, const struct itp_moment *now);

/* Opens `frame` above the innermost one at `now`, the time of its call. */
void itp_open_stack_enter(struct itp_open_stack *stack, const struct itp_continuity_rules *rules,
			  const struct itp_frame *frame, const struct itp_moment *now);

/* Sets the begin of the frame at `depth`, just opened, as exact: an event told it, as for each call
 * of its function. */
void itp_open_stack_begin_exactly(struct itp_open_stack *stack,
				  const struct itp_continuity_rules *rules, uint32_t depth);

/* Counts a call of `frame`'s function at `now`, otherwise unknown, as a call without a length above
 * the innermost frame. */
void itp_open_stack_count(struct itp_open_stack *stack, const struct itp_continuity_rules *rules,
			  const struct itp_frame *frame, const struct itp_moment *now);

/* The frame at `depth` returns at `now`, and its callers are there until then; frames above are
 * closed too. */
void itp_open_stack_end_exactly(struct itp_open_stack *stack,
				const struct itp_continuity_rules *rules, uint32_t depth,
				const struct itp_moment *now);

/* Tells all frames as instances that go on, innermost first: until they were last seen, or `now` if
 * a function trace has them. */
void itp_open_stack_show(const struct itp_open_stack *stack,
			 const struct itp_continuity_rules *rules, const struct itp_moment *now);

/* Depth of the innermost open frame of `function`, below the process root; 0 for none. */
uint32_t itp_open_stack_find(const struct itp_open_stack *stack, uint32_t function);
/* True when the innermost frame has a context. */
bool itp_open_stack_is_followed(const struct itp_open_stack *stack);

static inline struct itp_open_frame *itp_open_stack_frame(const struct itp_open_stack *stack,
							  uint32_t depth)
{
	return &g_array_index(stack->frames, struct itp_open_frame, depth);
}

#endif
