/* SPDX-License-Identifier: MIT */
/*
 * The input of the core: one thread, one instant, one stack.
 *
 * Every host and every reader hands its records to the core in this form; nothing in the core knows
 * their origin.
 */
#ifndef ITP_BASE_STACK_EVENT_H
#define ITP_BASE_STACK_EVENT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* The numbers are part of the message contract (`kind` of introperf:stack): only append. */
enum itp_event_kind {
	/* The thread enters the kernel; `argument` is the number of the system call. */
	ITP_EVENT_SYSCALL_ENTER = 0,
	/* Thread leaves the kernel; `argument` is the call's result. */
	ITP_EVENT_SYSCALL_EXIT = 1,
	/* The thread leaves the CPU; `argument` is its new state: 0 = still runnable (preempted),
	 * anything else = blocked. */
	ITP_EVENT_SWITCH_OUT = 2,
	/* The thread is on a CPU again. No stack. With `argument` 1, the CPU's thread until then is
	 * known, where it is none of the recording's: `callee` is its process, or
	 * ITP_FUNCTION_UNKNOWN where the CPU was idle. */
	ITP_EVENT_SWITCH_IN = 3,
	/* Blocked thread may run again; `argument` is the tid of the waker, and the stack is the
	 * waker's. */
	ITP_EVENT_WAKEUP = 4,
	/* Anything else that shows a stack. `argument` is for how much CPU time a tick of a timer
	 * stands, in the timer's unit, and 0 for other events: a page fault, another tracepoint. */
	ITP_EVENT_SAMPLE = 5,
	/* Exact function trace: frames[0] is the function entered or left. An exit without a frame
	 * is the innermost function's. */
	ITP_EVENT_FUNCTION_ENTRY = 6,
	ITP_EVENT_FUNCTION_EXIT = 7,
	/* Events are missing before this instant; `argument` is how many, ITP_LOSS_UNKNOWN when
	 * nobody knows, ITP_LOSS_CUT when the input ends here before its time. All threads are
	 * affected; pid and tid are -1. No stack. */
	ITP_EVENT_LOSS = 8,
	/* Life of a thread, without a stack. START: `argument` is the creator's tid, or
	 * ITP_START_UNKNOWN for a thread older than the recording, and comm is its process' name,
	 * where known; EXEC: comm is the new name. */
	ITP_EVENT_START = 9,
	ITP_EVENT_EXEC = 10,
	ITP_EVENT_END = 11,
	/* Function of the innermost frame has just been called; every call of the function makes
	 * such an event. */
	ITP_EVENT_CALL = 12,
	/* Records came later than others of later times; `argument` is how many. LATE: they stand
	 * where their times belong; MISPLACED: they have the time of what came before them. Nothing
	 * happened in the program. pid and tid are -1. No stack. */
	ITP_EVENT_LATE = 13,
	ITP_EVENT_MISPLACED = 14,
	/* Begin or end of a window in which system calls are watched. Begin: `argument` is N, for
	 * windows drawn by lot so that each instant is in a window with the chance 1/N. End: 0, or
	 * negative, the part of the programs' CPU time taken until now by watching, in millionths;
	 * example: -400000 for 40 %. Without any such event, calls are always watched. pid and tid
	 * are -1. No stack. */
	ITP_EVENT_WINDOW = 15,
	/* The thread's next event is in the system call `callee`, of which no event told the begin;
	 * `argument` is its number. No stack. */
	ITP_EVENT_IN_CALL = 16,
	/* How fast the machine was at some time until now: words[0] is the time (ns) of a fixed
	 * computation; `argument` tells its code, as other code takes other times. Nothing happened
	 * in the program. pid and tid are -1. No stack. */
	ITP_EVENT_SPEED = 17,
};

#define ITP_EVENT_KIND_COUNT 18

/* No call stands for more. */
#define ITP_WINDOW_MOST (INT64_C(1) << 20)
/* Less than all was taken. */
#define ITP_WINDOW_PART INT64_C(1000000)
#define ITP_WINDOW_TAKEN_MOST INT64_C(950000)

/* Most nanoseconds of a tick, lest it outweigh all others of a recording. */
#define ITP_TICK_MOST (INT64_C(1) << 40)

#define ITP_LOSS_UNKNOWN INT64_C(-1)
#define ITP_LOSS_CUT INT64_C(-2)
#define ITP_START_UNKNOWN INT64_C(-1)

/* Most frames of a stack in the core; readers cut at the root and mark it incomplete. */
#define ITP_MAX_STACK_DEPTH 1024

/* How a stack ends at its root, as far as the reader knows. Numbers as above. */
enum itp_stack_end {
	/* Frames are missing, or may be, for an unknown reason. */
	ITP_STACK_END_UNKNOWN = 0,
	/* The thread's first function. */
	ITP_STACK_END_ROOT = 1,
	/* Stack goes on beyond the recorded frames, or beyond the room for them. */
	ITP_STACK_END_DEPTH = 2,
	/* Recording does not tell the caller of the last frame. */
	ITP_STACK_END_UNWIND = 3,
	/* Copy of the stack ends before the size asked for: at a page not in memory. */
	ITP_STACK_END_SHORT_COPY = 4,
};

#define ITP_STACK_END_COUNT 5

/* How the frames of a stack were found; of several ways the weakest. Numbers as above. */
enum itp_found_by {
	/* Recorded, or absent: the reader found nothing. */
	ITP_FOUND_BY_RECORDER = 0,
	/* Unwound by a rule for the frame's code, or by a rule to be computed. */
	ITP_FOUND_BY_RULE = 1,
	ITP_FOUND_BY_EXPRESSION = 2,
	/* Without a rule: by a frame pointer that led to code, or by a call. */
	ITP_FOUND_BY_FRAME_POINTER = 3,
};

#define ITP_FOUND_BY_COUNT 4

/* Functions compiled into their callers ("inlined") have frames, too: behind the frame of the
 * function with their code, the outermost first. The innermost of them has the address of the code;
 * the frame of a caller has, as its address, the place of the call: the inlined code's lowest
 * address, with top bits of which no address has such. */
static inline uint64_t itp_inline_site(uint64_t address)
{
	return (address & ~(UINT64_C(3) << 62)) | UINT64_C(1) << 63;
}

struct itp_frame {
	/* Address at which execution resumes: the return address, or the instruction pointer of the
	 * leaf. Counted as in the module's file and symbol table, where there is a file. Above an
	 * inlined function: itp_inline_site(). */
	uint64_t address;
	/* Id in the event's function table. */
	uint32_t function;
	/* Thread stands at the address, rather than in the call before it. */
	bool is_exact;
	/* Caller may be missing: the stack was built on a frame pointer of another function. */
	bool hides_caller;
	/* Assumed frame: the stack does not show it, and must stand on it; the address is an
	 * earlier one. */
	bool is_assumed;
	/* Inserted frame: not recorded, but called by the code of the frame below. Its position is
	 * unknown: the address is 0. */
	bool is_filled;
};

/* True when the next frame is of a function inlined into this frame's. */
static inline bool itp_frame_calls_inlined(const struct itp_frame *frame)
{
	return frame->address >> 62 == 2;
}

/* The words that a program handed to a system call: the first of its arguments, in their order. The
 * first word of a call that works on a descriptor is the descriptor's number: 3 in read(3, …). */
#define ITP_SYSCALL_WORDS 3

struct itp_syscall_words {
	uint64_t words[ITP_SYSCALL_WORDS];
	/* False where the recording lacks the words. */
	bool are_known;
};

struct itp_stack_event {
	enum itp_event_kind kind;
	/* Nanoseconds on the recording's clock. */
	int64_t time_ns;
	int32_t pid;
	int32_t tid;
	/* -1 when not recorded. */
	int32_t cpu;
	/* Name of the thread. Never NULL. Weak: lives as long as the event. */
	const char *comm;
	int64_t argument;
	/* SAMPLE: CPU time of a tick, in nanoseconds; 0 where the timer does not tell: a counter of
	 * cycles. */
	int64_t tick_ns;
	/* System calls, and IN_CALL: id of the function `syscall:NAME`. Switches: id of the process
	 * next on the CPU, named after its thread, if it has no events of its own. Otherwise
	 * ITP_FUNCTION_UNKNOWN. */
	uint32_t callee;
	/* SYSCALL_ENTER: the words handed to the system call. SPEED: see there. Not known for other
	 * kinds. */
	struct itp_syscall_words words;
	/* SYSCALL_EXIT: nanoseconds since the thread first woke another thread, recorded or not,
	 * during the call; 0: it has not. */
	int64_t since_wake_ns;
	/* Root first; user frames before kernel frames. Weak: lives as long as the event. */
	const struct itp_frame *frames;
	size_t frame_count;
	/* How many of the frames are `is_filled`. */
	uint32_t filled_count;
	/* False when the reader knows of missing frames at the root. */
	bool complete;
	/* Reason for a stack's end, and how its frames were found, for advice on better
	 * recordings. */
	enum itp_stack_end end;
	enum itp_found_by found_by;
};

#endif
